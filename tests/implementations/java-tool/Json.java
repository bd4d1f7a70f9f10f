import java.util.*;

/** A small strict JSON reader (depth limited) and writer. */
final class Json {
    static final class Bad extends RuntimeException { Bad(String m) { super(m); } }
    private final String s; private int i, depth;
    private Json(String s) { this.s = s; }

    static Object parse(String s) {
        Json j = new Json(s); Object v = j.value(); j.ws();
        if (j.i != s.length()) throw new Bad("trailing");
        return v;
    }
    @SuppressWarnings("unchecked") static Map<String, Object> object(String s) {
        if (parse(s) instanceof Map<?, ?> m) return (Map<String, Object>) m;
        throw new Bad("no object");
    }
    private void ws() { while (i < s.length() && " \t\r\n".indexOf(s.charAt(i)) >= 0) i++; }
    private char next() { if (i >= s.length()) throw new Bad("end"); return s.charAt(i++); }
    private void word(String w) { if (!s.startsWith(w, i)) throw new Bad("token"); i += w.length(); }

    private Object value() {
        ws(); if (i >= s.length()) throw new Bad("end");
        char c = s.charAt(i);
        switch (c) {
            case '{': case '[': {
                if (++depth > 64) throw new Bad("too deep");
                i++; Object r = c == '{' ? members() : elements(); depth--; return r;
            }
            case '"': i++; return string();
            case 't': word("true"); return true;
            case 'f': word("false"); return false;
            case 'n': word("null"); return null;
            default: return number();
        }
    }
    private Map<String, Object> members() {
        Map<String, Object> m = new LinkedHashMap<>(); ws();
        if (i < s.length() && s.charAt(i) == '}') { i++; return m; }
        for (;;) {
            ws(); if (next() != '"') throw new Bad("key"); String k = string();
            ws(); if (next() != ':') throw new Bad("colon");
            m.put(k, value()); ws(); char c = next();
            if (c == '}') return m; if (c != ',') throw new Bad("comma");
        }
    }
    private List<Object> elements() {
        List<Object> l = new ArrayList<>(); ws();
        if (i < s.length() && s.charAt(i) == ']') { i++; return l; }
        for (;;) { l.add(value()); ws(); char c = next(); if (c == ']') return l; if (c != ',') throw new Bad("comma"); }
    }
    private String string() {
        StringBuilder b = new StringBuilder();
        for (;;) {
            char c = next();
            if (c == '"') return b.toString();
            if (c < 0x20) throw new Bad("control");
            if (c != '\\') { b.append(c); continue; }
            c = next(); int k = "\"\\/bfnrt".indexOf(c);
            if (k >= 0) b.append("\"\\/\b\f\n\r\t".charAt(k));
            else if (c == 'u') {
                int v = 0; for (int n = 0; n < 4; n++) { int d = Character.digit(next(), 16); if (d < 0) throw new Bad("hex"); v = v * 16 + d; }
                b.append((char) v);
            } else throw new Bad("escape");
        }
    }
    private Object number() {
        int a = i; while (i < s.length() && "+-.eE0123456789".indexOf(s.charAt(i)) >= 0) i++;
        String n = s.substring(a, i);
        if (n.length() > 64 || !n.matches("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?")) throw new Bad("number");
        return n.matches("-?\\d{1,18}") ? (Object) Long.parseLong(n) : (Object) Double.parseDouble(n);
    }

    /** ascii: everything beyond ASCII as escapes; otherwise only what UTF-8 cannot hold (lone surrogates). */
    static String write(Object v, boolean ascii) { StringBuilder b = new StringBuilder(); put(b, v, ascii); return b.toString(); }
    private static void put(StringBuilder b, Object v, boolean ascii) {
        if (v instanceof Map<?, ?> m) {
            b.append('{'); String sep = "";
            for (var e : m.entrySet()) { b.append(sep); put(b, e.getKey(), ascii); b.append(':'); put(b, e.getValue(), ascii); sep = ","; }
            b.append('}');
        } else if (v instanceof List<?> l) {
            b.append('['); String sep = ""; for (Object o : l) { b.append(sep); put(b, o, ascii); sep = ","; } b.append(']');
        } else if (v instanceof String s) {
            b.append('"');
            for (int i = 0; i < s.length(); i++) {
                char c = s.charAt(i);
                boolean lone = Character.isHighSurrogate(c) ? i + 1 >= s.length() || !Character.isLowSurrogate(s.charAt(i + 1))
                    : Character.isLowSurrogate(c) && (i == 0 || !Character.isHighSurrogate(s.charAt(i - 1)));
                if (c == '"' || c == '\\') b.append('\\').append(c);
                else if (c < 0x20 || lone || ascii && c > 0x7e) b.append(String.format("\\u%04x", (int) c));
                else b.append(c);
            }
            b.append('"');
        } else b.append(v);
    }
    static Map<String, Object> map(Object... kv) {
        Map<String, Object> m = new LinkedHashMap<>();
        for (int i = 0; i < kv.length; i += 2) m.put((String) kv[i], kv[i + 1]);
        return m;
    }
}
