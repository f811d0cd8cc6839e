module judge

go 1.23
