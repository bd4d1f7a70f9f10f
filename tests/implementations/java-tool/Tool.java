import com.sun.net.httpserver.*;
import java.io.*;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.charset.*;
import java.nio.file.*;
import java.security.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.zip.*;
import javax.crypto.*;
import javax.crypto.spec.*;

/** A RAP tool with OAuth. Expected times: without authorization below 7 s; an abandoned authorization ends after PENDING_MS. */
public final class Tool {
    static String env(String k, String d) { String v = System.getenv(k); return v == null || v.isEmpty() ? d : v; }
    static final String BASE = env("PUBLIC_URL", "http://127.0.0.1:" + env("PORT", "8080")), ISSUER = env("OAUTH_ISSUER", ""),
        CLIENT = env("OAUTH_CLIENT_ID", ""), SECRET = env("OAUTH_CLIENT_SECRET", ""), API = env("RESOURCE_URL", ""),
        MCP_TOOL = env("MCP_TOOL", ""), AUDIENCE = MCP_TOOL.isEmpty() ? API : ISSUER + "/mcp",   // read by an MCP tool instead of the plain API
        RUNTIME_KEY = env("RUNTIME_KEY", ""), VIOLATION = env("VIOLATION", "");
    static final long PENDING = Long.parseLong(env("PENDING_MS", "600000")), PREPARE = Long.parseLong(env("PREPARE_MS", "3000"));
    static final String ENDPOINT = BASE + "/dienst/eingang?kanal=rap&fassung=2", REDIRECT = BASE + "/anmeldung/rueckkehr?anbieter=posten";
    static final Path DATA = Path.of(env("DATA_DIR", "daten")), VAULT = DATA.resolve("tresor"), USED = DATA.resolve("verbraucht"), OPEN = DATA.resolve("offen");
    static final SecureRandom RND = new SecureRandom();
    static final ExecutorService pool = Executors.newCachedThreadPool(r -> { Thread t = new Thread(r); t.setDaemon(true); return t; });
    static final ScheduledExecutorService clock = Executors.newScheduledThreadPool(2);
    static final Base64.Encoder B64 = Base64.getUrlEncoder().withoutPadding();
    static Net net;
    static boolean broken(String v) { return VIOLATION.equals(v); }
    static void log(String s) { System.err.println(java.time.Instant.now() + " " + s); }
    static String random(int n) { byte[] b = new byte[n]; RND.nextBytes(b); return B64.encodeToString(b); }
    static byte[] utf8(String s) { return s.getBytes(StandardCharsets.UTF_8); }
    static String str(Object o) { return o instanceof String s ? s : null; }
    static final class Failure extends Exception { Failure(String text) { super(text); } }   // text is for the model, in German

    // ---- cryptography: one master key, one derived key per purpose
    static byte[] mac(byte[] key, String text) {
        try { Mac m = Mac.getInstance("HmacSHA256"); m.init(new SecretKeySpec(key, "HmacSHA256")); return m.doFinal(utf8(text)); }
        catch (GeneralSecurityException e) { throw new IllegalStateException(e); }
    }
    static byte[] master;
    static byte[] key(String purpose) { return mac(master, "rap-tool-java/" + purpose); }
    static byte[] gcm(int mode, byte[] key, byte[] iv, byte[] aad, byte[] in) throws GeneralSecurityException {
        Cipher c = Cipher.getInstance("AES/GCM/NoPadding"); c.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(128, iv)); c.updateAAD(aad);
        return c.doFinal(in);
    }
    static byte[] seal(String purpose, String aad, byte[] in) throws GeneralSecurityException {
        byte[] iv = new byte[12]; RND.nextBytes(iv); byte[] c = gcm(Cipher.ENCRYPT_MODE, key(purpose), iv, utf8(aad), in);
        return ByteBuffer.allocate(12 + c.length).put(iv).put(c).array();
    }
    static byte[] unseal(String purpose, String aad, byte[] in) throws GeneralSecurityException {
        if (in.length < 28) throw new GeneralSecurityException("short");
        return gcm(Cipher.DECRYPT_MODE, key(purpose), Arrays.copyOf(in, 12), utf8(aad), Arrays.copyOfRange(in, 12, in.length));
    }
    static void write(Path p, byte[] b) throws IOException {
        Path t = p.resolveSibling(random(9) + ".neu");
        try (var ch = java.nio.channels.FileChannel.open(t, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (ByteBuffer x = ByteBuffer.wrap(b); x.hasRemaining(); ) ch.write(x);
            ch.force(true);
        }
        Files.move(t, p, StandardCopyOption.ATOMIC_MOVE);
    }

    // ---- state: a self-contained compact JWE (dir, A256GCM, DEF); nothing about the flow is looked up at the server
    static final String HEAD = B64.encodeToString(utf8("{\"alg\":\"dir\",\"enc\":\"A256GCM\",\"zip\":\"DEF\",\"typ\":\"rap-state+jwe\"}"));
    static String makeState(Map<String, Object> claims) throws Exception {
        Deflater d = new Deflater(9, true); d.setInput(utf8(Json.write(claims, false))); d.finish();
        ByteArrayOutputStream o = new ByteArrayOutputStream(); byte[] buf = new byte[8192];
        while (!d.finished()) o.write(buf, 0, d.deflate(buf));
        byte[] s = seal("state", HEAD, o.toByteArray());
        return HEAD + ".." + B64.encodeToString(Arrays.copyOf(s, 12)) + "." + B64.encodeToString(Arrays.copyOfRange(s, 12, s.length - 16)) + "." + B64.encodeToString(Arrays.copyOfRange(s, s.length - 16, s.length));
    }
    static Map<String, Object> readState(String state) {
        try {
            String[] p = state.split("\\.", -1);
            if (p.length != 5 || !p[0].equals(HEAD) || !p[1].isEmpty()) return null;
            ByteArrayOutputStream in = new ByteArrayOutputStream();
            for (int i = 2; i < 5; i++) { byte[] b = Base64.getUrlDecoder().decode(p[i]); if (!B64.encodeToString(b).equals(p[i])) return null; in.write(b); }
            InflaterInputStream z = new InflaterInputStream(new ByteArrayInputStream(unseal("state", HEAD, in.toByteArray())), new Inflater(true));
            return Json.object(new String(z.readNBytes(1 << 20), StandardCharsets.UTF_8));
        } catch (Exception e) { return null; }
    }
    static final Set<String> memoryUsed = ConcurrentHashMap.newKeySet();
    /** Whoever claims a flow first may end it: the callback, the timeout or a cancellation. Atomic, durable. */
    static boolean claim(String jti) {
        if (broken("used-set-in-memory")) return memoryUsed.add(jti);
        try { Files.createFile(USED.resolve(jti)); return true; } catch (IOException e) { return false; }
    }
    static boolean used(String jti) { return broken("used-set-in-memory") ? memoryUsed.contains(jti) : Files.exists(USED.resolve(jti)); }
    static String verifier(String jti, String user) { return B64.encodeToString(mac(key("pkce"), broken("verifier-per-user") ? "u" + user : jti)); }

    // ---- tokens: one sealed file for each user and scope
    record Token(String access, String refresh, long until) {
        boolean fresh() { return until == 0 || System.currentTimeMillis() < until; }
    }
    static final ReentrantLock[] locks = new ReentrantLock[256];
    static String slot(String user, String scope) {
        if (broken("user-id-nfkc")) user = java.text.Normalizer.normalize(user, java.text.Normalizer.Form.NFKC);
        return HexFormat.of().formatHex(mac(key("slot"), user.length() + ":" + Json.write(user, true) + scope));
    }
    static Token load(String slot) {
        try {
            var m = Json.object(new String(unseal("vault", slot, Files.readAllBytes(VAULT.resolve(slot))), StandardCharsets.UTF_8));
            return new Token(str(m.get("a")), str(m.get("r")), (Long) m.get("u"));
        } catch (NoSuchFileException e) { return null; } catch (Exception e) { log("Tresoreintrag unlesbar"); return null; }
    }
    static void save(String slot, Token t) throws Exception { write(VAULT.resolve(slot), seal("vault", slot, utf8(Json.write(Json.map("a", t.access, "r", t.refresh, "u", t.until), true)))); }
    static void drop(String slot, Token t) { try { Token now = load(slot); if (now != null && now.access.equals(t.access)) Files.deleteIfExists(VAULT.resolve(slot)); } catch (IOException e) { log("Tresoreintrag nicht löschbar"); } }

    // ---- provider
    static volatile Map<String, Object> metadata; static volatile long metadataUntil;
    static Map<String, Object> provider() throws Failure {
        if (metadata != null && System.currentTimeMillis() < metadataUntil) return metadata;
        try {
            URI u = URI.create(ISSUER);
            var r = net.send("GET", u.getScheme() + "://" + u.getRawAuthority() + "/.well-known/oauth-authorization-server" + u.getRawPath(), null, "Accept", "application/json");
            var m = Json.object(r.body());
            if (r.status() != 200 || !ISSUER.equals(m.get("issuer"))) throw new IOException("metadata");
            for (String k : List.of("authorization_endpoint", "token_endpoint"))
                if (!(m.get(k) instanceof String s && s.startsWith("https://"))) throw new Failure("Der Anbieter nennt keine sichere Adresse (https) für die Anmeldung. Bitte den Betreiber verständigen.");
            metadataUntil = System.currentTimeMillis() + 300_000; return metadata = m;
        } catch (IOException | RuntimeException e) { throw new Failure("Der Anmeldedienst ist gerade nicht erreichbar. Bitte in einer Minute erneut versuchen."); }
    }
    static final class Refused extends Exception { final String code; Refused(String c) { super(c); code = c; } }
    static Token tokenRequest(String scope, String oldRefresh, String... form) throws Failure, Refused {
        try {
            var r = net.send("POST", (String) provider().get("token_endpoint"), Net.form(form), "Content-Type", "application/x-www-form-urlencoded", "Accept", "application/json",
                "Authorization", "Basic " + Base64.getEncoder().encodeToString(utf8(Net.enc(CLIENT) + ":" + Net.enc(SECRET))));
            var m = Json.object(r.body());
            if (r.status() != 200) throw new Refused(m.get("error") instanceof String s && s.matches("[a-z_]{1,40}") ? s : "unbekannt");
            String at = str(m.get("access_token")), type = str(m.get("token_type"));
            if (at == null || at.isEmpty() || !"bearer".equalsIgnoreCase(type)) throw new IOException("response");
            if (m.get("scope") instanceof String s && !Set.of(s.split(" ")).containsAll(Set.of(scope.split(" "))))
                throw new Failure("Die erteilte Erlaubnis umfasst nicht »" + scope + "«. Bitte erneut aufrufen und diese Berechtigung erteilen.");
            long life = m.get("expires_in") == null ? 0 : (long) Double.parseDouble(String.valueOf(m.get("expires_in")));
            return new Token(at, m.get("refresh_token") instanceof String s && !s.isEmpty() ? s : oldRefresh, m.get("expires_in") == null ? 0 : System.currentTimeMillis() + life * 1000 - Math.min(10_000, life * 100));
        } catch (IOException | RuntimeException e) { throw new Failure("Der Anmeldedienst hat beim Abholen der Berechtigung nicht verwertbar geantwortet. Bitte erneut aufrufen."); }
    }
    /** The stored token of a user, refreshed if it has expired or is the one that the API refused; null: ask the user. */
    static Token stored(String user, String scope, String refused) throws Failure {
        String slot = slot(user, scope); ReentrantLock l = locks[Math.floorMod(slot.hashCode(), locks.length)];
        boolean race = broken("refresh-race");
        if (!race) l.lock();
        try {
            Token t = load(slot);
            if (t == null) return null;
            if (t.fresh() && !t.access.equals(refused)) return t;
            if (t.refresh == null) { drop(slot, t); return null; }
            try {
                Token n = tokenRequest(scope, t.refresh, "grant_type", "refresh_token", "refresh_token", t.refresh, "resource", AUDIENCE);
                save(slot, n); return n;
            } catch (Refused e) {
                if (!e.code.equals("invalid_grant")) throw new Failure("Die Berechtigung ließ sich nicht erneuern (" + e.code + "). Bitte später erneut versuchen.");
                drop(slot, t); return null;
            }
        } catch (Failure f) { throw f; } catch (Exception e) { throw new Failure("Die Berechtigung ließ sich nicht ablegen. Bitte später erneut versuchen."); }
        finally { if (!race) l.unlock(); }
    }

    // ---- operations
    static Map<String, Object> schema(Map<String, Object> props, String... required) {
        var m = Json.map("$schema", "https://json-schema.org/draft/2020-12/schema", "type", "object", "properties", props, "additionalProperties", false);
        if (required.length > 0) m.put("required", List.of(required));
        return m;
    }
    static final Map<String, String> SCOPES = Map.of("katalog-abfragen", env("SCOPE_READ", "katalog.lesen"), "posten_anlegen", "items:write");
    static final List<Map<String, Object>> TOOLS = List.of(
        Json.map("name", "uhrzeit", "description", "Sagt die Uhrzeit des Servers (UTC). Braucht keine Anmeldung.", "inputSchema", Json.map("type", "object", "additionalProperties", false), "annotations", Json.map("readOnly", true, "idempotent", true)),
        Json.map("name", "wuerfeln", "description", "Würfelt einmal.", "inputSchema", schema(Json.map("seiten", Json.map("type", "integer", "minimum", 2L, "maximum", 1000L))), "annotations", Json.map("readOnly", true)),
        Json.map("name", "katalog-abfragen", "description", "Durchsucht den Katalog des Nutzers.", "inputSchema", schema(Json.map("suchwort", Json.map("type", "string", "maxLength", 200L), "anzahl", Json.map("type", "integer", "minimum", 1L, "maximum", 50L)), "suchwort"),
            "annotations", Json.map("requiresAuth", "posten-anbieter", "readOnly", true, "x-dauer", "unter 7 s; Anmeldung bis " + PENDING + " ms"), "displayScript", "\"Suche: \" + args.suchwort"),
        Json.map("name", "posten_anlegen", "description", "Legt einen Posten an.", "inputSchema", schema(Json.map("titel", Json.map("type", "string", "maxLength", 200L)), "titel"), "annotations", Json.map("requiresAuth", "posten-anbieter", "destructive", false)));
    @SuppressWarnings("unchecked") static String misfit(Map<String, Object> schema, Map<String, Object> args) {
        var props = (Map<String, Map<String, Object>>) schema.getOrDefault("properties", Map.of());
        for (Object r : (List<Object>) schema.getOrDefault("required", List.of())) if (!args.containsKey(r)) return "das Argument »" + r + "« fehlt";
        for (var e : args.entrySet()) {
            var p = props.get(e.getKey()); Object v = e.getValue();
            if (p == null) return "ein Argument ist unbekannt; bekannt sind " + props.keySet();
            boolean ok = p.get("type").equals("string") ? v instanceof String s && s.codePointCount(0, s.length()) <= (Long) p.get("maxLength") : v instanceof Long n && n >= (Long) p.get("minimum") && n <= (Long) p.get("maximum");
            if (!ok) return "das Argument »" + e.getKey() + "« passt nicht zu seinem Schema";
        }
        return null;
    }

    // ---- one call and its journal, kept (sealed) until the last message is delivered
    static final class Call {
        final String jid; final Map<String, Object> m;   // the invocation
        volatile String jti; volatile long exp;
        Call(String jid, Map<String, Object> m) { this.jid = jid; this.m = m; }
        String op() { return (String) m.get("operation"); }
        String user() { String u = str(m.get("user_id")); return u == null || u.isEmpty() ? null : u; }
        String scope() { return SCOPES.get(op()); }
        Map<String, Object> message(String type, Object... more) {
            var r = Json.map("x-werkzeug", "tool-java/1"); r.putAll(Json.map(more));
            if (m.containsKey("call_id") && (m.get("call_id") == null || m.get("call_id") instanceof String)) r.put("call_id", m.get("call_id"));
            r.put("id", m.get("id")); r.put("group_id", m.get("group_id")); r.put("type", type); return r;
        }
        void keep(Object message) {
            try { write(OPEN.resolve(jid), seal("journal", jid, utf8(Json.write(Json.map("m", m, "j", jti, "e", exp, "r", message), true)))); }
            catch (Exception e) { log("Tagebuch nicht beschreibbar"); }
        }
    }
    static final Map<String, Call> waiting = new ConcurrentHashMap<>();   // jti -> call, for cancellation only

    static void finish(Call c, Map<String, Object> message) {
        c.keep(message);
        deliver(c, message, () -> false, () -> { try { Files.deleteIfExists(OPEN.resolve(c.jid)); } catch (IOException e) { log("Tagebuch nicht löschbar"); } }, 0);
    }
    static void fail(Call c, String german) { finish(c, c.message("tool_result", "text", "Error: " + german)); }
    static void deliver(Call c, Map<String, Object> message, BooleanSupplier obsolete, Runnable done, int attempt) {
        pool.execute(() -> {
            if (obsolete.getAsBoolean()) return;
            int status;
            try { status = net.post((String) c.m.get("callback_url"), utf8(Json.write(message, true))); } catch (Exception e) { status = 599; }
            if (status < 500) { if (status >= 300) log("Zustellung abgelehnt: " + status); done.run(); return; }
            if (attempt >= (broken("constant-retry") ? 300 : 9)) { log("Zustellung aufgegeben"); done.run(); return; }
            long delay = broken("constant-retry") ? 150 : (long) (Math.min(20_000, 300L << attempt) * (0.9 + RND.nextDouble() * 0.2));
            clock.schedule(() -> deliver(c, message, obsolete, done, attempt + 1), delay, TimeUnit.MILLISECONDS);
        });
    }

    static void begin(Call c) {
        c.keep(null);
        guarded(c, () -> {
            var tool = TOOLS.stream().filter(t -> t.get("name").equals(c.op())).findFirst().orElse(null);
            if (tool == null) throw new Failure("Diese Operation gibt es nicht. Bekannt sind: uhrzeit, wuerfeln, katalog-abfragen, posten_anlegen.");
            if (!(c.m.get("arguments") instanceof Map<?, ?>)) throw new Failure("»arguments« muss ein Objekt sein.");
            @SuppressWarnings("unchecked") String bad = misfit((Map<String, Object>) tool.get("inputSchema"), args(c));
            if (bad != null) throw new Failure("Die Argumente passen nicht: " + bad + ".");
            if (c.scope() == null) {
                String s = c.op().equals("uhrzeit") ? java.time.Instant.now().toString() : "Gewürfelt: " + (1 + RND.nextInt(((Long) args(c).getOrDefault("seiten", 6L)).intValue()));
                finish(c, c.message("tool_result", "text", s)); return;
            }
            Token t = c.user() == null ? null : stored(c.user(), c.scope(), null);
            if (t != null) run(c, t, false); else prepare(c);
        });
    }
    @SuppressWarnings("unchecked") static Map<String, Object> args(Call c) { return (Map<String, Object>) c.m.get("arguments"); }
    interface Work { void run() throws Exception; }
    static void guarded(Call c, Work w) {
        try { w.run(); } catch (Failure f) { fail(c, f.getMessage()); }
        catch (Exception | StackOverflowError e) { log("Unerwartet: " + e.getClass().getSimpleName()); fail(c, "Im Werkzeug ist etwas schiefgegangen. Bitte später erneut versuchen."); }
    }
    /** Preparation takes a while (PREPARE_MS); the authorization request is made and sent at its end. */
    static void prepare(Call c) throws Failure {
        long at = System.nanoTime() + PREPARE * 1_000_000; var meta = provider();
        clock.schedule(() -> pool.execute(() -> guarded(c, () -> {
            Token t = c.user() == null ? null : stored(c.user(), c.scope(), null);
            if (t != null) { run(c, t, false); return; }
            c.jti = random(18); c.exp = System.currentTimeMillis() + PENDING;
            byte[] challenge = MessageDigest.getInstance("SHA-256").digest(utf8(verifier(c.jti, c.user())));
            String ep = (String) meta.get("authorization_endpoint");
            String url = ep + (ep.contains("?") ? "&" : "?") + Net.form("ui_locales", "de-AT de", "prompt", "consent", "response_mode", "query", "display", "page", "resource", AUDIENCE,
                "code_challenge_method", "S256", "code_challenge", B64.encodeToString(challenge), "scope", c.scope(), "redirect_uri", REDIRECT, "client_id", CLIENT, "response_type", "code",
                "state", makeState(Json.map("j", c.jti, "e", c.exp, "n", c.jid, "c", c.m)));
            c.keep(null); arm(c);
            deliver(c, c.message("oauth", "auth_url", url, "expires_in", PENDING / 1000), () -> used(c.jti), () -> { }, 0);
        })), Math.max(0, at - System.nanoTime()), TimeUnit.NANOSECONDS);
    }
    static void arm(Call c) {
        waiting.put(c.jti, c);
        clock.schedule(() -> pool.execute(() -> end(c, "Die Anmeldung wurde nicht rechtzeitig abgeschlossen. Bitte erneut aufrufen und den Link innerhalb von " + PENDING / 1000 + " Sekunden öffnen.")),
            Math.max(0, c.exp - System.currentTimeMillis()), TimeUnit.MILLISECONDS);
    }
    static void end(Call c, String german) { waiting.remove(c.jti); if (claim(c.jti)) fail(c, german); }

    static void exchange(Call c, String code, String ticket) {
        guarded(c, () -> {
            boolean ok = false;
            try {
                Token t = tokenRequest(c.scope(), null, "grant_type", "authorization_code", "code", code, "redirect_uri", REDIRECT, "code_verifier", verifier(c.jti, c.user()), "resource", AUDIENCE);
                if (c.user() != null) {
                    String slot = slot(c.user(), c.scope()); ReentrantLock l = locks[Math.floorMod(slot.hashCode(), locks.length)];
                    l.lock(); try { save(slot, t); } finally { l.unlock(); }
                }
                ok = true; tickets.put(ticket, "Die Anmeldung ist abgeschlossen. Dieses Fenster kann geschlossen werden.");
                try { run(c, t, true); } finally { if (c.user() == null) revoke(t); }   // nobody in particular: nothing is kept
            } catch (Refused e) { throw new Failure("Der Anbieter hat den Anmeldecode nicht angenommen (" + e.code + "). Bitte erneut aufrufen und den neuen Link öffnen."); }
            finally { if (!ok) tickets.put(ticket, "Die Anmeldung ist fehlgeschlagen. Bitte im Gespräch erneut beginnen."); }
        });
    }
    static void revoke(Token t) {
        try {
            if (provider().get("revocation_endpoint") instanceof String u && u.startsWith("https://"))
                net.send("POST", u, Net.form("token", t.refresh != null ? t.refresh : t.access, "token_type_hint", t.refresh != null ? "refresh_token" : "access_token"), "Content-Type", "application/x-www-form-urlencoded",
                    "Authorization", "Basic " + Base64.getEncoder().encodeToString(utf8(Net.enc(CLIENT) + ":" + Net.enc(SECRET))));
        } catch (Exception e) { log("Widerruf nicht möglich"); }
    }
    static void run(Call c, Token t, boolean granted) throws Failure {
        Net.Resp r = api(c, t);
        if (r.status() == 401) {
            if (granted || c.user() == null) { if (c.user() != null) drop(slot(c.user(), c.scope()), t); throw new Failure("Der Katalog hat die eben erteilte Berechtigung zurückgewiesen. Bitte erneut aufrufen."); }
            Token n = stored(c.user(), c.scope(), t.access);
            if (n == null) { prepare(c); return; }
            r = api(c, t = n);
            if (r.status() == 401) { drop(slot(c.user(), c.scope()), n); prepare(c); return; }
        }
        if (r.status() == 403) {
            if (c.user() != null) drop(slot(c.user(), c.scope()), t);
            throw new Failure("Die Berechtigung »" + c.scope() + "« reicht dem Katalog nicht aus. Bitte erneut aufrufen und sie erteilen.");
        }
        if (r.status() / 100 != 2) throw new Failure("Der Katalog antwortet mit Status " + r.status() + ". Bitte später erneut versuchen.");
        List<Object> lines = new ArrayList<>();
        try {
            Map<String, Object> m = Json.object(r.body());
            for (Object o : m.get("items") instanceof List<?> l ? l : List.of(m))
                if (o instanceof Map<?, ?> i && lines.size() < 50) lines.add(Json.map("type", "text", "text", clean(i.get("id"), t) + " · " + clean(i.get("title"), t)));
        } catch (Json.Bad e) { throw new Failure("Der Katalog hat unverständlich geantwortet. Bitte später erneut versuchen."); }
        List<Object> content = new ArrayList<>(List.of(Json.map("type", "text", "text", "Gefunden: " + lines.size()))); content.addAll(lines);
        finish(c, c.message("tool_result", "content", content, "display_as", List.of(Json.map("type", "text", "content", "Katalog: " + lines.size() + " Einträge"))));
    }
    /** Only ids and titles are taken over, and none that holds a credential. */
    static String clean(Object v, Token t) {
        String s = v instanceof String || v instanceof Number ? String.valueOf(v) : "–";
        return s.contains(t.access) || t.refresh != null && s.contains(t.refresh) || s.toLowerCase(Locale.ROOT).contains("bearer") ? "[entfernt]" : s.length() > 300 ? s.substring(0, 300) : s;
    }
    static Net.Resp api(Call c, Token t) throws Failure {
        boolean read = c.op().equals("katalog-abfragen");
        String body = read ? Json.write(Json.map("suchwort", args(c).get("suchwort"), "anzahl", args(c).getOrDefault("anzahl", 10L)), true) : Json.write(Json.map("title", args(c).get("titel")), true);
        if (read && !MCP_TOOL.isEmpty()) try {
            Net.Resp r = net.send("POST", AUDIENCE, Json.write(Json.map("jsonrpc", "2.0", "id", "frage-1", "method", "tools/call", "params", Json.map("name", MCP_TOOL, "arguments", Json.map())), true),
                "Content-Type", "application/json", "Accept", "application/json, text/event-stream", "MCP-Protocol-Version", "2025-06-18", "Authorization", "Bearer " + t.access);
            if (r.status() != 200) return r;
            var result = (Map<?, ?>) Json.object(r.body()).get("result");
            if (result == null || Boolean.TRUE.equals(result.get("isError"))) return new Net.Resp(502, r.headers(), "");
            return new Net.Resp(200, r.headers(), (String) ((Map<?, ?>) ((List<?>) result.get("content")).get(0)).get("text"));
        } catch (IOException | RuntimeException e) { throw new Failure("Der Katalog ist gerade nicht erreichbar. Bitte später erneut versuchen."); }
        try { return net.send("POST", API + (read ? env("PATH_READ", "/katalog/abfrage") + "?sprache=de" : "/items"), body, "Content-Type", "application/json", "Accept", "application/json", "Authorization", "Bearer " + t.access); }
        catch (IOException | RuntimeException e) { throw new Failure("Der Katalog ist gerade nicht erreichbar. Bitte später erneut versuchen."); }
    }

    // ---- HTTP
    static void answer(HttpExchange x, int status, String type, byte[] body) throws IOException {
        Headers h = x.getResponseHeaders(); boolean head = x.getRequestMethod().equals("HEAD");
        h.set("Cache-Control", "no-store"); h.set("X-Content-Type-Options", "nosniff");
        if (body == null) { x.sendResponseHeaders(status, -1); x.close(); return; }
        h.set("Content-Type", type);
        if (head) { h.set("Content-Length", "" + body.length); x.sendResponseHeaders(status, -1); x.close(); return; }
        x.sendResponseHeaders(status, 0);   // chunked
        try (OutputStream o = x.getResponseBody()) { o.write(body); }
        x.close();
    }
    static final Map<String, String> tickets = Collections.synchronizedMap(new LinkedHashMap<>() { protected boolean removeEldestEntry(Map.Entry<String, String> e) { return size() > 2000; } });
    static final Map<String, String> retryLinks = new ConcurrentHashMap<>();
    static void page(HttpExchange x, int status, String text, String extra) throws IOException {
        Headers in = x.getRequestHeaders(), h = x.getResponseHeaders(); h.set("Vary", "Accept, Accept-Encoding");
        h.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"); h.set("Referrer-Policy", "no-referrer"); h.set("X-Frame-Options", "DENY");
        String accept = String.valueOf(in.getFirst("Accept"));
        String coding = in.getFirst("Accept-Encoding");   // absent: any coding is acceptable (RFC 9110 §12.5.3)
        boolean gzip = coding == null || coding.matches("(?i).*\\bgzip\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$)).*");
        if (!gzip) extra = "";
        byte[] b = utf8("<?xml version=\"1.0\" encoding=\"UTF-8\"?><!DOCTYPE html><html xmlns=\"http://www.w3.org/1999/xhtml\" xml:lang=\"de\" lang=\"de\"><head><title>Anmeldung</title></head><body><h1>Anmeldung</h1><p>" + text + "</p>" + extra + "</body></html>");
        if (gzip) {
            ByteArrayOutputStream o = new ByteArrayOutputStream(); try (GZIPOutputStream g = new GZIPOutputStream(o)) { g.write(b); }
            b = o.toByteArray(); h.set("Content-Encoding", "gzip");
        }
        answer(x, status, accept.contains("application/xhtml+xml") ? "application/xhtml+xml; charset=utf-8" : "text/html; charset=utf-8", b);
    }
    static void route(HttpServer s, String path, String method, HttpHandler h) {
        s.createContext(path, x -> {
            try {
                String m = x.getRequestMethod();
                if (!x.getRequestURI().getRawPath().equals(path)) answer(x, 404, "text/plain; charset=utf-8", utf8("nicht gefunden\n"));
                else if (m.equals("OPTIONS")) { x.getResponseHeaders().set("Allow", method + ", OPTIONS"); answer(x, 204, null, null); }
                else if (!Arrays.asList(method.split(", ")).contains(m)) { x.getResponseHeaders().set("Allow", method + ", OPTIONS"); answer(x, 405, null, null); }
                else h.handle(x);
            } catch (Exception e) { log("Anfrage gescheitert: " + e.getClass().getSimpleName()); try { x.sendResponseHeaders(500, -1); } catch (IOException f) { /* gone */ } x.close(); }
        });
    }
    static Map<String, Object> body(HttpExchange x) throws IOException {
        byte[] b = x.getRequestBody().readNBytes((1 << 20) + 1);
        if (b.length > 1 << 20) throw new Json.Bad("too large");
        return Json.object(StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT).onUnmappableCharacter(CodingErrorAction.REPORT).decode(ByteBuffer.wrap(b)).toString());
    }
    static boolean runtime(HttpExchange x) { return RUNTIME_KEY.isEmpty() || MessageDigest.isEqual(utf8("Bearer " + RUNTIME_KEY), utf8(String.valueOf(x.getRequestHeaders().getFirst("Authorization")))); }
    static final AtomicLong bucket = new AtomicLong(400);

    static void invoke(HttpExchange x) throws IOException {
        if (!runtime(x)) { x.getResponseHeaders().set("WWW-Authenticate", "Bearer realm=\"rap\""); answer(x, 401, null, null); return; }
        if (bucket.getAndUpdate(n -> Math.max(0, n - 1)) == 0) { x.getResponseHeaders().set("Retry-After", "1"); answer(x, 429, null, null); return; }
        if (!String.valueOf(x.getRequestHeaders().getFirst("Content-Type")).split(";")[0].trim().equalsIgnoreCase("application/json")) { answer(x, 415, null, null); return; }
        Map<String, Object> m;
        try { m = body(x); } catch (Json.Bad | CharacterCodingException e) { answer(x, 400, null, null); return; }
        // Without a place to report to, the only way not to drop it silently is to refuse it.
        if (str(m.get("id")) == null || str(m.get("group_id")) == null || str(m.get("callback_url")) == null || !Net.usable(str(m.get("callback_url")))) { answer(x, 422, null, null); return; }
        if (broken("ack-after-refresh") && str(m.get("user_id")) != null && SCOPES.containsKey(String.valueOf(m.get("operation")))) try { stored(str(m.get("user_id")), SCOPES.get(m.get("operation")), null); } catch (Failure f) { /* later */ }
        answer(x, 200, "text/plain; charset=us-ascii", utf8("angenommen\n"));
        Call c = new Call(random(12), m);
        pool.execute(() -> {
            if (str(m.get("operation")) == null || m.get("user_id") != null && str(m.get("user_id")) == null) fail(c, "Der Aufruf ist unvollständig: »operation« und »user_id« müssen Text sein.");
            else begin(c);
        });
    }
    static void back(HttpExchange x) throws IOException {
        Map<String, String> q = new HashMap<>(); boolean twice = false; String raw = x.getRequestURI().getRawQuery();
        try {
            for (String p : (raw == null ? "" : raw).split("&")) {
                int i = p.indexOf('='); String k = URLDecoder.decode(i < 0 ? p : p.substring(0, i), StandardCharsets.UTF_8), v = i < 0 ? "" : URLDecoder.decode(p.substring(i + 1), StandardCharsets.UTF_8);
                if (q.put(k, v) != null) twice = true;
            }
        } catch (IllegalArgumentException e) { twice = true; }
        var st = twice || q.get("state") == null ? null : readState(q.get("state"));
        if (st == null) { page(x, 400, "Diese Rückkehr gehört zu keiner laufenden Anmeldung. Es wurde nichts verändert.", ""); return; }
        @SuppressWarnings("unchecked") Call c = new Call((String) st.get("n"), (Map<String, Object>) st.get("c"));
        c.jti = (String) st.get("j"); c.exp = (Long) st.get("e");
        if (used(c.jti)) { page(x, 409, "Diese Anmeldung ist bereits abgeschlossen.", ""); return; }
        if (System.currentTimeMillis() >= c.exp) { page(x, 410, "Diese Anmeldung ist abgelaufen. Bitte im Gespräch erneut beginnen.", ""); return; }
        String code = q.get("code"), error = q.get("error"), iss = q.get("iss");
        boolean has = code != null && !code.isEmpty();
        if (has == (error != null)) { page(x, 400, "Die Antwort des Anbieters ist unvollständig. Die Anmeldung läuft weiter.", ""); return; }
        var meta = metadata; try { meta = provider(); } catch (Failure f) { /* the one known before */ }
        boolean promised = meta == null || Boolean.TRUE.equals(meta.get("authorization_response_iss_parameter_supported"));
        if (broken("iss-missing-accepted")) promised = false;
        // RFC 9207: not from our provider, so it neither continues nor ends the flow; the genuine answer may still come, or the timeout.
        if ((iss == null ? promised : !iss.equals(ISSUER)) && !(error != null && broken("iss-unchecked-on-error"))) { page(x, 403, "Die Antwort stammt nicht vom erwarteten Anbieter und wurde verworfen.", ""); return; }
        if (!claim(c.jti)) { page(x, 409, "Diese Anmeldung ist bereits abgeschlossen.", ""); return; }
        waiting.remove(c.jti);
        String ticket = random(12);
        tickets.put(ticket, error != null ? "Die Anmeldung wurde nicht erteilt. Das Gespräch geht ohne sie weiter." : "Die Anmeldung wird verarbeitet. Dieses Fenster kann geschlossen werden.");
        if (broken("code-in-gzip-page")) retryLinks.put(ticket, "<p><a href=\"/anmeldung/rueckkehr?" + raw.replace("&", "&amp;") + "\">Erneut versuchen</a></p>");
        // The code leaves the address bar at once (303), whatever becomes of it.
        x.getResponseHeaders().set("Location", "/anmeldung/stand?beleg=" + ticket); x.getResponseHeaders().set("Referrer-Policy", "no-referrer");
        answer(x, 303, null, null);
        pool.execute(() -> {
            c.keep(null);
            if (error == null) exchange(c, code, ticket);
            else if (error.equals("access_denied")) fail(c, "Die Anmeldung wurde vom Nutzer abgelehnt. Bitte erneut aufrufen und die angefragte Berechtigung erteilen.");
            else fail(c, "Der Anbieter hat die Anmeldung nicht durchgeführt (" + (error.matches("[a-z_]{1,40}") ? error : "unbekannter Fehler") + "). Bitte später erneut versuchen.");
        });
    }
    static void notified(HttpExchange x, boolean thread) throws IOException {
        Map<String, Object> m; try { m = runtime(x) ? body(x) : Map.of(); } catch (Exception e) { m = Map.of(); }
        answer(x, 200, null, null);   // always, and always empty
        String g = str(m.get("thread_id")), id = str(m.get("tool_call_id"));
        if (g == null || !thread && id == null) return;
        for (Call c : waiting.values()) if (g.equals(c.m.get("group_id")) && (thread || id.equals(c.m.get("id")))) pool.execute(() -> end(c, "Der Aufruf wurde abgebrochen."));
    }
    static void recover() throws IOException {
        try (var s = Files.list(OPEN)) {
            for (Path p : s.toList()) try {
                String jid = p.getFileName().toString(); if (jid.endsWith(".neu")) { Files.delete(p); continue; }
                var j = Json.object(new String(unseal("journal", jid, Files.readAllBytes(p)), StandardCharsets.UTF_8));
                @SuppressWarnings("unchecked") Call c = new Call(jid, (Map<String, Object>) j.get("m")); c.jti = str(j.get("j")); c.exp = (Long) j.get("e");
                @SuppressWarnings("unchecked") var message = (Map<String, Object>) j.get("r");
                if (message != null) finish(c, message);
                else if (c.jti != null && !used(c.jti)) { if (!broken("pending-lost-at-restart")) arm(c); }
                else fail(c, "Das Werkzeug wurde während der Arbeit neu gestartet. Bitte erneut aufrufen.");
            } catch (Exception e) { log("Tagebucheintrag unlesbar"); }
        }
    }
    static void sweep() {
        try (var s = Files.list(USED)) { for (Path p : s.toList()) if (Files.getLastModifiedTime(p).toMillis() < System.currentTimeMillis() - PENDING - 3_600_000) Files.deleteIfExists(p); } catch (IOException e) { log("Aufräumen gescheitert"); }
    }
    public static void main(String[] a) throws Exception {
        System.setProperty("sun.net.httpserver.nodelay", "true"); System.setErr(new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
        master = Base64.getDecoder().decode(env("TOOL_KEY", "")); if (master.length < 32) throw new IllegalStateException("TOOL_KEY: base64 of at least 32 bytes");
        for (int i = 0; i < locks.length; i++) locks[i] = new ReentrantLock();
        for (Path p : List.of(VAULT, USED, OPEN)) Files.createDirectories(p);
        net = new Net(env("CA_FILE", null), Long.parseLong(env("UPSTREAM_MS", "6000")), pool);
        HttpServer s = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(env("PORT", "8080"))), 200); s.setExecutor(pool);
        byte[] set = utf8(Json.write(Json.map("x-fassung", 2L, "tools", TOOLS, "endpoint", ENDPOINT, "description", "Katalog und Kleinigkeiten", "name", "katalog-werkzeuge"), false));
        route(s, "/.well-known/rap-toolset", "GET, HEAD", x -> answer(x, 200, "application/json; charset=utf-8", set));
        route(s, "/dienst/eingang", "POST", Tool::invoke);
        route(s, "/anmeldung/rueckkehr", "GET", Tool::back);
        route(s, "/anmeldung/stand", "GET, HEAD", x -> {
            String q = String.valueOf(x.getRequestURI().getRawQuery()), t = q.startsWith("beleg=") ? q.substring(6) : "", text = tickets.get(t);
            page(x, text == null ? 404 : 200, text == null ? "Dazu ist nichts (mehr) bekannt." : text, broken("code-in-gzip-page") ? retryLinks.getOrDefault(t, "") : "");
        });
        route(s, "/close_thread", "POST", x -> notified(x, true));
        route(s, "/cancel_tool_call", "POST", x -> notified(x, false));
        s.createContext("/", x -> answer(x, 404, "text/plain; charset=utf-8", utf8("nicht gefunden\n")));
        clock.scheduleAtFixedRate(() -> bucket.updateAndGet(n -> Math.min(400, n + 20)), 100, 100, TimeUnit.MILLISECONDS);
        clock.scheduleAtFixedRate(Tool::sweep, 0, 1, TimeUnit.HOURS);
        recover(); s.start(); log("bereit");
    }
}
