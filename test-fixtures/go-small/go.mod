// Shows: one module at the root of a workspace.
module example.com/small

go 1.24
