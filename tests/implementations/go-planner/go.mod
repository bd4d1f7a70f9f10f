module go-planner

go 1.21
