module rap-ferry-tool

go 1.21
