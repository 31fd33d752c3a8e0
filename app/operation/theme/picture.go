package theme

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/lists"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/operation"
	"heliograph/db/queries/operation/writes"
	"heliograph/storage"
)

// The limits of pictures.
const (
	MaxPicture = 200_000 // bytes
	maxPixels  = 1024    // of a side
)

// Upload stores a logo or an icon and returns its name. Pictures are PNG, which is
// written again without anything but the pixels, or SVG of shapes alone. field names
// the field of the form in errors.
func (t *Themes) Upload(ctx context.Context, field string, body []byte) (name string, err error) {
	refuse := func(format string, values ...any) error {
		return fault.InvalidFields(fault.Field{Name: field, Message: fmt.Sprintf(format, values...)})
	}
	if len(body) > MaxPicture {
		return "", refuse("The picture has %d bytes. At most %d are taken.", len(body), MaxPicture)
	}
	contentType, ending := "image/png", ".png"
	switch {
	case bytes.HasPrefix(body, []byte("\x89PNG")):
		if body, err = rewritePNG(body); err != nil {
			return "", refuse("The picture cannot be used: %s.", err)
		}
	case bytes.Contains(body[:min(len(body), 1000)], []byte("<svg")):
		contentType, ending = "image/svg+xml", ".svg"
		if err := checkSVG(body); err != nil {
			return "", refuse("The picture cannot be used: %s.", err)
		}
	default:
		return "", refuse("Choose a PNG or SVG file.")
	}
	if len(body) > MaxPicture {
		return "", refuse("The picture is too large: at most %d bytes are taken.", MaxPicture)
	}
	if t.store == nil {
		return "", fault.New(fault.Unavailable, "Pictures cannot be stored now.")
	}
	sum := sha256.Sum256(body)
	p := models.ThemePicture{Name: hex.EncodeToString(sum[:16]) + ending, ContentType: contentType, Size: len(body)}
	key := storage.ThemeKey(uuid.NewString())
	p.Object = key.String()
	err = db.InTx(ctx, t.db, func(tx pgx.Tx) error {
		if err := writes.ThemePictureDeleteUnused(ctx, tx); err != nil {
			return err
		}
		isNew, err := writes.ThemePictureInsert(ctx, tx, p)
		if err != nil || !isNew {
			return err
		}
		_, err = t.store.Put(ctx, key, bytes.NewReader(body), storage.PutOptions{ContentType: contentType, Size: int64(len(body)), Limit: MaxPicture})
		return err
	})
	return p.Name, err
}

// Picture returns the bytes and the content type of a picture.
func (t *Themes) Picture(ctx context.Context, name string) (body []byte, contentType string, err error) {
	missing := fault.New(fault.NotFound, "There is no picture at this address.")
	if !pictureName.MatchString(name) || t.store == nil {
		return nil, "", missing
	}
	p, err := queries.ThemePictureGet(ctx, t.db, name)
	if err != nil {
		return nil, "", db.Absent(err, missing, "reading a picture")
	}
	key, err := storage.ParseKey(p.Object)
	if err != nil {
		return nil, "", err
	}
	object, _, err := t.store.Get(ctx, key, storage.Range{})
	if err != nil {
		return nil, "", err
	}
	defer object.Close()
	body, err = io.ReadAll(io.LimitReader(object, MaxPicture))
	return body, p.ContentType, err
}

// rewritePNG returns the pixels of a picture as PNG.
func rewritePNG(body []byte) ([]byte, error) {
	config, err := png.DecodeConfig(bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("it is no valid PNG")
	}
	if config.Width > maxPixels || config.Height > maxPixels {
		return nil, fmt.Errorf("it has %d by %d pixels, and %d by %d are the most", config.Width, config.Height, maxPixels, maxPixels)
	}
	picture, err := png.Decode(bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("it is no valid PNG")
	}
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, picture); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// svgElements are the elements of pictures: shapes, gradients and what groups them.
var svgElements = words("svg g path rect circle ellipse line polyline polygon defs linearGradient radialGradient stop clipPath mask title desc")

// svgAttributes are their attributes.
var svgAttributes = words("xmlns version id viewBox width height x y x1 y1 x2 y2 cx cy r rx ry fx fy d points transform fill fill-opacity fill-rule clip-rule " +
	"clip-path mask stroke stroke-width stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-opacity opacity offset stop-color stop-opacity " +
	"gradientUnits gradientTransform preserveAspectRatio role aria-label aria-hidden color maskUnits clipPathUnits")

func words(text string) map[string]bool {
	return lists.Set(strings.Fields(text))
}

// checkSVG refuses a picture with anything but shapes: scripts, styles, text, links and
// what loads something else.
func checkSVG(body []byte) error {
	const mostTokens = 20_000
	reader := xml.NewDecoder(bytes.NewReader(body))
	depth := 0
	for range mostTokens {
		token, err := reader.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return errors.New("it is no valid SVG")
		}
		switch token := token.(type) {
		case xml.Directive:
			return errors.New("it has a document type; remove the line with <!DOCTYPE")
		case xml.ProcInst:
			if token.Target != "xml" {
				return fmt.Errorf("it has the instruction %q", shortened(token.Target))
			}
		case xml.EndElement:
			depth--
		case xml.StartElement:
			if depth++; depth > 50 {
				return errors.New("its elements are nested too deeply")
			}
			if !svgElements[token.Name.Local] || depth == 1 && token.Name.Local != "svg" {
				return fmt.Errorf("the element <%s> is not allowed; use shapes and gradients", shortened(token.Name.Local))
			}
			for _, a := range token.Attr {
				if a.Name.Space == "xmlns" && a.Name.Local != "svg" {
					continue // names of other vocabularies; their elements are refused
				}
				value := strings.ToLower(strings.TrimSpace(a.Value))
				if a.Name.Space != "" || !svgAttributes[a.Name.Local] || strings.Contains(value, "url(") && !strings.HasPrefix(value, "url(#") {
					return fmt.Errorf("the attribute %s is not allowed; write colours and sizes as attributes of their own", shortened(a.Name.Local))
				}
			}
		}
	}
	return errors.New("it has too many parts")
}
