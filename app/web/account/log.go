package account

import (
	"strconv"
)

func deliveryPath(id int64) string { return deliveriesPath + "/" + strconv.FormatInt(id, 10) }

// decimal writes tenths.
func decimal(tenths int) string { return strconv.Itoa(tenths/10) + "." + strconv.Itoa(tenths%10) }
