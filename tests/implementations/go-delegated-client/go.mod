module delegatedclient

go 1.21
