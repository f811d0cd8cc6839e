// Package fair shows: callers in another package.
package fair

import "live/shop"

// Monday sells once.
func Monday() error { return shop.Sell(&shop.Drawer{}, 100) }

// Tuesday sells twice.
func Tuesday() error {
	if err := shop.Sell(shop.Card{}, 1); err != nil {
		return err
	}
	return shop.Sell(shop.Card{}, 2)
}
