import com.google.api.client.auth.oauth2.*;
import com.google.api.client.googleapis.auth.oauth2.*;
import com.google.api.client.http.*;
import com.google.api.client.http.javanet.NetHttpTransport;
import com.google.api.client.json.gson.GsonFactory;
import com.sun.net.httpserver.*;
import java.io.*;
import java.net.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.security.*;
import java.util.*;
import java.util.concurrent.*;
import javax.crypto.Cipher;
import javax.crypto.spec.*;

/** A RAP tool that tells who its user is at Google, with Google's client library for Java: it knows no other provider. */
public final class Tool {
    static final int PORT = Integer.parseInt(System.getenv("PORT"));
    static final String ID = System.getenv("GOOGLE_CLIENT_ID"), SECRET = System.getenv("GOOGLE_CLIENT_SECRET"), ISSUER = "https://accounts.google.com",
        BASE = "http://127.0.0.1:" + PORT, REDIRECT = BASE + "/google/back", USERINFO = "https://openidconnect.googleapis.com/v1/userinfo";
    static final long PENDING = Long.parseLong(System.getenv().getOrDefault("PENDING_SECONDS", "600")) * 1000, EARLY = 60_000;
    static final List<String> SCOPES = List.of("openid", "https://www.googleapis.com/auth/userinfo.email");
    static final Path DATA = Path.of(System.getenv("DATA_DIR"));
    static final ExecutorService pool = Executors.newCachedThreadPool();
    static final ScheduledExecutorService clock = Executors.newScheduledThreadPool(1);
    static final HttpTransport transport = new NetHttpTransport();
    static final HttpRequestInitializer patience = r -> r.setConnectTimeout(3000).setReadTimeout(3000).setFollowRedirects(false).setNumberOfRetries(0);
    static final Map<String, Object> locks = new ConcurrentHashMap<>();
    static final Set<String> busy = ConcurrentHashMap.newKeySet();
    static final Object none = new Object();
    static Net net;
    static final class Problem extends Exception { Problem(String text) { super(text); } }   // text is for the model

    // ---- what survives a restart: tokens by user, and flows by their state, in one sealed file
    static Map<String, Object> tokens = new LinkedHashMap<>(), flows = new LinkedHashMap<>();
    static byte[] crypt(int mode, byte[] in) throws Exception {
        Path key = DATA.resolve("key"); byte[] iv = Arrays.copyOf(in, 12);
        if (!Files.exists(key)) Files.write(key, SecureRandom.getSeed(32));
        Cipher c = Cipher.getInstance("AES/GCM/NoPadding"); c.init(mode, new SecretKeySpec(Files.readAllBytes(key), "AES"), new GCMParameterSpec(128, iv));
        byte[] out = c.doFinal(in, 12, in.length - 12);
        return java.nio.ByteBuffer.allocate(12 + out.length).put(iv).put(out).array();
    }
    static synchronized void save() {
        try {
            byte[] text = Json.write(Json.map("tokens", tokens, "flows", flows), true).getBytes(StandardCharsets.UTF_8), in = new byte[12 + text.length];
            new SecureRandom().nextBytes(in); System.arraycopy(text, 0, in, 12, text.length);
            Files.write(DATA.resolve("store/new"), crypt(Cipher.ENCRYPT_MODE, in));
            Files.move(DATA.resolve("store/new"), DATA.resolve("store/vault"), StandardCopyOption.ATOMIC_MOVE);
        } catch (Exception e) { System.err.println("nothing can be stored"); }
    }
    @SuppressWarnings("unchecked") static void load() throws Exception {
        Files.createDirectories(DATA.resolve("store")); Path vault = DATA.resolve("store/vault");
        if (!Files.exists(vault)) return;
        byte[] out = crypt(Cipher.DECRYPT_MODE, Files.readAllBytes(vault));
        var kept = Json.object(new String(out, 12, out.length - 12, StandardCharsets.UTF_8));
        tokens = (Map<String, Object>) kept.get("tokens"); flows = (Map<String, Object>) kept.get("flows");
    }
    static synchronized void keep(String user, Map<String, Object> token) {
        if (user != null && token != null) tokens.put(user, token); else if (user != null) tokens.remove(user);
        save();
    }
    @SuppressWarnings("unchecked") static synchronized Map<String, Object> token(String user) { return user == null ? null : (Map<String, Object>) tokens.get(user); }
    /** Whoever takes a flow has to end its call; nobody gets it twice. */
    @SuppressWarnings("unchecked") static synchronized Map<String, Object> take(String state) {
        var flow = (Map<String, Object>) flows.remove(state); if (flow != null) save();
        return flow;
    }

    // ---- Google
    static Map<String, Object> issued(TokenRequest request, String oldRefresh) throws Problem, TokenResponseException {
        try {
            TokenResponse t = request.setRequestInitializer(patience).execute();
            if (t.getAccessToken() == null || !"bearer".equalsIgnoreCase(t.getTokenType())) throw new Problem("Google issued a token that cannot be used here.");
            if (t.getScope() != null && !Set.of(t.getScope().split(" ")).containsAll(SCOPES)) throw new Problem("The permission that this operation needs was not granted.");
            return Json.map("a", t.getAccessToken(), "r", t.getRefreshToken() == null ? oldRefresh : t.getRefreshToken(),
                "e", t.getExpiresInSeconds() == null ? 0L : System.currentTimeMillis() + t.getExpiresInSeconds() * 1000);
        } catch (TokenResponseException e) { throw e; }
        catch (IOException | RuntimeException e) { throw new Problem("Google did not answer the token request. Please try again later."); }
    }
    static Map<String, Object> exchange(String code, String verifier) throws Problem {
        var request = new GoogleAuthorizationCodeTokenRequest(transport, GsonFactory.getDefaultInstance(), ID, SECRET, code, REDIRECT);
        try { return issued(request.set("code_verifier", verifier), null); }
        catch (TokenResponseException e) { throw new Problem("Google did not accept the authorization. Please try again."); }
    }
    /** A usable token of the user, or null; `refused` is one that Google has just turned down. */
    static Map<String, Object> stored(String user, Object refused) throws Problem {
        synchronized (locks.computeIfAbsent(user, u -> new Object())) {
            var t = token(user);
            if (t == null) return null;
            boolean old = (Long) t.get("e") != 0 && System.currentTimeMillis() > (Long) t.get("e") - EARLY;
            if (!old && !t.get("a").equals(refused)) return t;
            Map<String, Object> fresh = null;
            if (t.get("r") != null) try { fresh = issued(new GoogleRefreshTokenRequest(transport, GsonFactory.getDefaultInstance(), (String) t.get("r"), ID, SECRET), (String) t.get("r")); }
            catch (TokenResponseException e) {
                if (e.getDetails() == null || !"invalid_grant".equals(e.getDetails().getError())) throw new Problem("The authorization could not be renewed at present. Please try again later.");
            }
            keep(user, fresh); return fresh;
        }
    }
    /** What Google says of the user; null where the token is of no use. */
    static String who(Map<String, Object> token) throws Problem {
        try {
            var request = transport.createRequestFactory(patience).buildGetRequest(new GenericUrl(USERINFO)).setThrowExceptionOnExecuteError(false);
            request.getHeaders().setAuthorization("Bearer " + token.get("a"));
            HttpResponse answer = request.execute(); String text = answer.parseAsString();
            if (answer.getStatusCode() == 401) return null;
            if (answer.getStatusCode() != 200) throw new Problem("Google could not tell (status " + answer.getStatusCode() + ").");
            if (!(Json.object(text).get("sub") instanceof String sub)) throw new IOException();
            return sub + " is the user's id at Google.";
        } catch (IOException | RuntimeException e) { throw new Problem("Google did not answer. Please try again later."); }
    }

    // ---- the life of a call
    static String str(Object o) { return o instanceof String s && !s.isEmpty() ? s : null; }
    static void deliver(Map<String, Object> call, Map<String, Object> message, Runnable done, int attempt) {
        pool.execute(() -> {
            int status;
            try { status = net.post(str(call.get("callback_url")), Json.write(message, true).getBytes(StandardCharsets.UTF_8)); } catch (Exception e) { status = 599; }
            if (status < 500 || attempt > 7) done.run();
            else clock.schedule(() -> deliver(call, message, done, attempt + 1), 200L << attempt, TimeUnit.MILLISECONDS);
        });
    }
    static Map<String, Object> message(Map<String, Object> call, String type, String name, String text) {
        var m = Json.map("type", type, name, text);
        for (String own : List.of("id", "group_id", "call_id")) if (call.containsKey(own)) m.put(own, call.get(own));
        return m;
    }
    static void finish(Map<String, Object> call, String text) { deliver(call, message(call, "tool_result", "text", text), () -> busy.remove(Json.write(call, true)), 0); }
    static void work(Map<String, Object> call) {
        try {
            Object a = call.get("arguments"), user = call.get("user_id");
            if (!"who_am_i".equals(call.get("operation")) || !(a instanceof Map<?, ?> m && m.isEmpty()) || user != null && !(user instanceof String)) throw new Problem("There is no such operation, or its arguments do not fit.");
            var t = str(user) == null ? null : stored(str(user), none);
            String text = t == null ? null : who(t);
            if (t != null && text == null && (t = stored(str(user), t.get("a"))) != null && (text = who(t)) == null) keep(str(user), null);
            if (text == null) ask(call); else finish(call, text);
        } catch (Problem p) { finish(call, "Error: " + p.getMessage()); }
        catch (Exception e) { finish(call, "Error: The call failed."); }
    }
    static void ask(Map<String, Object> call) throws Exception {
        var random = Base64.getUrlEncoder().withoutPadding(); byte[] bytes = new byte[64]; new SecureRandom().nextBytes(bytes);
        String state = random.encodeToString(Arrays.copyOf(bytes, 32)), verifier = random.encodeToString(Arrays.copyOfRange(bytes, 32, 64));
        var url = new GoogleAuthorizationCodeRequestUrl(ID, REDIRECT, SCOPES).setState(state).setAccessType("offline").set("prompt", "consent").set("code_challenge_method", "S256")
            .set("code_challenge", random.encodeToString(MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII))));
        synchronized (Tool.class) { flows.put(state, Json.map("call", call, "verifier", verifier, "until", System.currentTimeMillis() + PENDING)); save(); }
        arm(state, PENDING);
        deliver(call, message(call, "oauth", "auth_url", url.toString()), () -> { }, 0);
    }
    static void arm(String state, long ms) {
        clock.schedule(() -> { var flow = take(state); if (flow != null) finish(call(flow), "Error: Nobody authorized this in time. Please try again."); }, ms, TimeUnit.MILLISECONDS);
    }
    @SuppressWarnings("unchecked") static Map<String, Object> call(Map<String, Object> flow) { return (Map<String, Object>) flow.get("call"); }
    static void proceed(Map<String, Object> flow, String code) {
        var call = call(flow);
        try {
            var t = exchange(code, (String) flow.get("verifier")); String text = who(t);
            keep(str(call.get("user_id")), text == null ? null : t);
            finish(call, text == null ? "Error: Google did not accept the new authorization." : text);
        } catch (Problem p) { finish(call, "Error: " + p.getMessage()); }
    }

    // ---- HTTP
    static void answer(HttpExchange x, int status, String type, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        for (String[] h : new String[][] { { "Content-Type", type }, { "Cache-Control", "no-store" }, { "Referrer-Policy", "no-referrer" }, { "X-Content-Type-Options", "nosniff" } }) x.getResponseHeaders().set(h[0], h[1]);
        x.sendResponseHeaders(status, body.length); x.getResponseBody().write(body); x.close();
    }
    static void invoke(HttpExchange x) throws IOException {
        Map<String, Object> call = null;
        try { call = Json.object(new String(x.getRequestBody().readNBytes(1 << 20), StandardCharsets.UTF_8)); } catch (Json.Bad e) { /* refused below */ }
        if (call == null || str(call.get("id")) == null || str(call.get("group_id")) == null || str(call.get("callback_url")) == null || !Net.usable(str(call.get("callback_url")))) { answer(x, 400, "text/plain", "no invocation"); return; }
        if (call.get("call_id") != null && !(call.get("call_id") instanceof String)) { call.remove("call_id"); call.remove("operation"); }
        answer(x, 200, "text/plain", "accepted");
        var accepted = call;
        if (busy.add(Json.write(call, true))) pool.execute(() -> work(accepted));   // not one that was only sent again
    }
    static void back(HttpExchange x) throws IOException {
        Map<String, String> q = new HashMap<>(); boolean twice = false; String raw = x.getRequestURI().getRawQuery();
        for (String p : (raw == null ? "" : raw).split("&")) { String[] kv = p.split("=", 2); twice |= q.put(kv[0], kv.length < 2 ? "" : URLDecoder.decode(kv[1], StandardCharsets.UTF_8)) != null; }
        String code = str(q.get("code")), error = str(q.get("error"));
        boolean fits = !twice && (code == null) != (error == null) && q.get("state") != null && q.getOrDefault("iss", ISSUER).equals(ISSUER);
        var flow = fits ? take(q.get("state")) : null;
        if (flow == null) { answer(x, 400, "text/plain", "This link is not valid, or was used before."); return; }
        if (error == null) pool.execute(() -> proceed(flow, code));
        else finish(call(flow), error.equals("access_denied") ? "Error: The user denied the authorization." : "Error: Google could not complete the authorization.");
        answer(x, 200, "text/plain", "Thank you. You can return to your conversation.");
    }
    public static void main(String[] args) throws Exception {
        System.setProperty("sun.net.http.retryPost", "false");   // a code is not sent twice
        load(); net = new Net(null, 3000, pool);
        for (var e : flows.entrySet()) { @SuppressWarnings("unchecked") var flow = (Map<String, Object>) e.getValue(); busy.add(Json.write(call(flow), true)); arm(e.getKey(), Math.max(0, (Long) flow.get("until") - System.currentTimeMillis())); }
        String tool = Json.write(Json.map("name", "google", "endpoint", BASE + "/rap", "tools", List.of(Json.map("name", "who_am_i", "description", "Tells who the user is at Google. An authorization that takes longer than " + PENDING + " ms ends in an error.",
            "inputSchema", Json.map("type", "object", "additionalProperties", false), "annotations", Json.map("requiresAuth", "google", "readOnly", true)))), true);
        HttpServer s = HttpServer.create(new InetSocketAddress("127.0.0.1", PORT), 200); s.setExecutor(pool);
        s.createContext("/.well-known/rap-toolset", x -> answer(x, 200, "application/json", tool));
        s.createContext("/rap", Tool::invoke); s.createContext("/google/back", Tool::back); s.start();
    }
}
