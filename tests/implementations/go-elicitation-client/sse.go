package main

import (
	"bufio"
	"io"
	"strings"
)

type event struct{ id, name, data string }

// readEvents reads server-sent events: CR, LF or CRLF, comments, data of several lines (WHATWG HTML, 9.2.6).
func readEvents(from io.Reader, each func(event)) {
	reader := bufio.NewReader(from)
	var line strings.Builder
	var data []string
	var current event
	var before byte
	for {
		b, err := reader.ReadByte()
		if err != nil {
			return
		}
		again := before == '\r' && b == '\n'
		before = b
		if again {
			continue
		}
		if b != '\r' && b != '\n' {
			line.WriteByte(b)
			continue
		}
		text := line.String()
		line.Reset()
		if text == "" {
			if data != nil {
				current.data = strings.Join(data, "\n")
				each(current)
			}
			data, current = nil, event{}
			continue
		}
		field, value, _ := strings.Cut(text, ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "data":
			data = append(data, value)
		case "id":
			current.id = value
		case "event":
			current.name = value
		}
	}
}
