use super::world::*;
