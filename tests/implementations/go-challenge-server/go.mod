module challengeserver

go 1.21
