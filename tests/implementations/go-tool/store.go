package main

// vault: an append-only file of sealed records (own format, bolt-like buckets).
//   header : "RTG1" + 16 bytes salt
//   record : u32 length | nonce(12) | AES-256-GCM(json{b,k,v}), AAD = salt | u64 sequence number
// The key is HKDF-SHA256(STORE_KEY, salt). Opening compacts; a torn last record (crash) is cut off.

import (
	"bytes"
	"compress/gzip"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
)

type rec struct {
	B string          `json:"b"`
	K string          `json:"k"`
	V json.RawMessage `json:"v,omitempty"` // absent: deleted
}

type vault struct {
	mu   sync.Mutex
	path string
	f    *os.File
	aead cipher.AEAD
	salt []byte
	seq  uint64
	m    map[string]map[string]json.RawMessage
}

const magic = "RTG1"

func openVault(dir, secret string) (*vault, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	v := &vault{path: filepath.Join(dir, "vault.bin"), m: map[string]map[string]json.RawMessage{}}
	old, err := os.ReadFile(v.path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	if len(old) >= 20 {
		if string(old[:4]) != magic {
			return nil, errors.New("vault: unknown format")
		}
		if err := v.rekey(secret, old[4:20]); err != nil {
			return nil, err
		}
		for i, b := uint64(0), old[20:]; len(b) >= 4; i++ {
			n := int(binary.BigEndian.Uint32(b))
			if n < 12 || len(b) < 4+n {
				break // torn tail
			}
			plain, err := v.unseal(b[4:4+n], i)
			if err != nil {
				return nil, errors.New("vault: wrong key or damaged file")
			}
			var r rec
			if json.Unmarshal(plain, &r) == nil {
				v.apply(r)
			}
			b = b[4+n:]
		}
	}
	// compact into a new file under a new salt
	salt := make([]byte, 16)
	rand.Read(salt)
	if err := v.rekey(secret, salt); err != nil {
		return nil, err
	}
	v.seq = 0
	tmp := v.path + ".new"
	if v.f, err = os.OpenFile(tmp, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600); err != nil {
		return nil, err
	}
	if _, err = v.f.Write(append([]byte(magic), salt...)); err != nil {
		return nil, err
	}
	for b, kv := range v.m {
		for k, val := range kv {
			if err := v.write(rec{b, k, val}); err != nil {
				return nil, err
			}
		}
	}
	if err := v.f.Sync(); err != nil {
		return nil, err
	}
	return v, os.Rename(tmp, v.path)
}

func (v *vault) rekey(secret string, salt []byte) error {
	key, err := hkdf.Key(sha256.New, []byte(secret), salt, "rap-tool-go vault", 32)
	if err != nil {
		return err
	}
	blk, err := aes.NewCipher(key)
	if err != nil {
		return err
	}
	v.salt = bytes.Clone(salt)
	v.aead, err = cipher.NewGCM(blk)
	return err
}

func (v *vault) aad(seq uint64) []byte {
	return binary.BigEndian.AppendUint64(bytes.Clone(v.salt), seq)
}

func (v *vault) unseal(b []byte, seq uint64) ([]byte, error) {
	if violation == "gzip-instead-of-encryption" {
		z, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(z)
	}
	return v.aead.Open(nil, b[:12], b[12:], v.aad(seq))
}

func (v *vault) write(r rec) error {
	plain, _ := json.Marshal(r)
	nonce := make([]byte, 12)
	rand.Read(nonce)
	sealed := v.aead.Seal(nonce, nonce, plain, v.aad(v.seq))
	if violation == "gzip-instead-of-encryption" {
		var z bytes.Buffer
		w := gzip.NewWriter(&z)
		w.Write(plain)
		w.Close()
		sealed = z.Bytes()
	}
	v.seq++
	_, err := v.f.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(sealed))), sealed...))
	return err
}

func (v *vault) apply(r rec) {
	if v.m[r.B] == nil {
		v.m[r.B] = map[string]json.RawMessage{}
	}
	if r.V == nil {
		delete(v.m[r.B], r.K)
	} else {
		v.m[r.B][r.K] = r.V
	}
}

func (v *vault) put(bucket, key string, val any) {
	r := rec{B: bucket, K: key}
	if val != nil {
		r.V, _ = json.Marshal(val)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.apply(r)
	if err := v.write(r); err != nil || v.f.Sync() != nil {
		logf("vault_write_failed", "")
	}
}

// putMem changes only the copy in memory (used by a violation).
func (v *vault) putMem(bucket, key string, val any) {
	raw, _ := json.Marshal(val)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.apply(rec{bucket, key, raw})
}

func (v *vault) get(bucket, key string, into any) bool {
	v.mu.Lock()
	raw, ok := v.m[bucket][key]
	v.mu.Unlock()
	return ok && json.Unmarshal(raw, into) == nil
}

func (v *vault) each(bucket string, fn func(k string, raw json.RawMessage)) {
	v.mu.Lock()
	cp := make(map[string]json.RawMessage, len(v.m[bucket]))
	for k, r := range v.m[bucket] {
		cp[k] = r
	}
	v.mu.Unlock()
	for k, r := range cp {
		fn(k, r)
	}
}
