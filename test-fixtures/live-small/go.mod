module live

go 1.24
