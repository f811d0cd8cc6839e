// Package platform shows: a file that the build configuration leaves out.
package platform

// Name names the platform.
func Name() string { return "any" }
