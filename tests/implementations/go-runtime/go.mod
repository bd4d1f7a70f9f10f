module runtime-go

go 1.26
