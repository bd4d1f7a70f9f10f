module example/login

go 1.21
