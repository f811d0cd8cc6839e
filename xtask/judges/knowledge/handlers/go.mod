module codeweft.dev/judges/handlers

go 1.23
