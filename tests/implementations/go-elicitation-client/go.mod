module example.com/elicitation-client

go 1.22
