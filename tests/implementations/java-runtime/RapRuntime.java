import com.sun.net.httpserver.*;
import java.io.*;
import java.net.*;
import java.net.http.*;
import java.nio.charset.*;
import java.nio.file.*;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.regex.*;

/**
 * A RAP runtime over Gemini's wire, whose functions have no ids: a call stands in the history from the moment it has a
 * result, and until then in the system's instruction. One file per conversation, a new one with every write. What a
 * person sees is handed out once and then forgotten; an authorization URL is in memory only.
 */
public class RapRuntime {
    static final String model = env("MODEL_ORIGIN") + "/v1beta/models/" + env("MODEL") + ":generateContent";
    static final String self = env("PUBLIC_URL");
    static final String[] toolsets = env("TOOLSETS").split(" ");
    static final Path data = Path.of(env("DATA_DIR"));
    static final long patience = Long.parseLong(env("TOOL_TIMEOUT_MS"));
    static final String bad = Objects.toString(System.getenv("VIOLATION"), "");
    static final HttpClient web = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    static final ScheduledExecutorService clock = Executors.newScheduledThreadPool(2);
    static final ExecutorService pool = Executors.newCachedThreadPool();
    static final Map<String, Talk> talks = new ConcurrentHashMap<>();
    static final SecureRandom chance = new SecureRandom();

    static String env(String name) { return Objects.requireNonNull(System.getenv(name), name); }
    static String random() { byte[] b = new byte[15]; chance.nextBytes(b); return Base64.getEncoder().encodeToString(b); }
    static void log(String line) { System.err.println("runtime: " + line); }

    // ---- conversations ---------------------------------------------------------------------------------------------

    /** A call that waits for its tool. */
    static final class Waiting {
        String id, callId, name, user, state; Map<String, Object> args; long until; boolean subscribes;
        volatile String url; boolean restored; Map<String, Object> choice;
        Object kept() {
            return Json.map("id", id, "callId", callId, "name", name, "user", user, "state", state, "args", args, "until", until);
        }
    }

    static final class Talk {
        String name, group, key; long writes;
        List<Object> history = new ArrayList<>(), settled = new ArrayList<>(), subscriptions = new ArrayList<>();
        Map<String, Waiting> waiting = new LinkedHashMap<>();
        Map<String, Object> tools, views = new LinkedHashMap<>();
        final Map<String, Deque<Shown>> shown = new HashMap<>();
        /** One message of a conversation after the other. */
        final ExecutorService lane = Executors.newSingleThreadExecutor();

        synchronized void keep() {
            var calls = new ArrayList<Object>(); waiting.values().forEach(w -> calls.add(w.kept()));
            var text = Json.write(Json.map("name", name, "group", group, "key", key, "history", history, "settled", settled,
                "subscriptions", subscriptions, "waiting", calls, "tools", tools, "views", views), true);
            try {
                String stem = Base64.getUrlEncoder().withoutPadding().encodeToString(name.getBytes(StandardCharsets.UTF_8));
                stem = stem.length() > 100 ? stem.substring(0, 100) + "-" + Integer.toHexString(name.hashCode()) : stem;
                Path half = data.resolve("." + stem), next = data.resolve(stem + "." + (writes + 1)), last = data.resolve(stem + "." + writes);
                Files.writeString(half, text); Files.move(half, next, StandardCopyOption.ATOMIC_MOVE); Files.deleteIfExists(last); writes++;
            } catch (IOException e) { throw new UncheckedIOException(e); }
        }
        synchronized void show(String user, String call, String html) {
            shown.computeIfAbsent(user, u -> new ArrayDeque<>()).add(new Shown(call, html));
        }
        synchronized void showAll(String html) { for (String user : List.copyOf(shown.keySet())) show(user, null, html); }
    }
    record Shown(String call, String html) {}

    static Talk talk(String name) {
        return talks.computeIfAbsent(name, n -> {
            var t = new Talk(); t.name = n; t.group = "Faden ☘ " + random() + " \"½\" <a&b>"; t.key = random(); return t;
        });
    }

    @SuppressWarnings("unchecked") static <T> T as(Object value) { return (T) value; }

    static void restore() throws IOException {
        Files.createDirectories(data);
        var newest = new TreeMap<Long, Path>();
        var byStem = new HashMap<String, TreeMap<Long, Path>>();
        try (var files = Files.list(data)) {
            for (Path file : files.toList()) {
                String n = file.getFileName().toString(); int dot = n.lastIndexOf('.');
                if (dot > 0) byStem.computeIfAbsent(n.substring(0, dot), s -> new TreeMap<>()).put(Long.parseLong(n.substring(dot + 1)), file);
            }
        }
        for (var generations : byStem.values()) {
            var in = Json.object(Files.readString(generations.lastEntry().getValue()));
            var t = new Talk(); t.name = as(in.get("name")); t.group = as(in.get("group")); t.key = as(in.get("key"));
            t.writes = generations.lastKey(); t.history = as(in.get("history")); t.settled = as(in.get("settled"));
            t.subscriptions = as(in.get("subscriptions")); t.tools = as(in.get("tools")); t.views = as(in.get("views"));
            for (Object o : (List<?>) in.get("waiting")) {
                Map<String, Object> m = as(o); var w = new Waiting();
                w.id = as(m.get("id")); w.callId = as(m.get("callId")); w.name = as(m.get("name")); w.user = as(m.get("user"));
                w.state = as(m.get("state")); w.args = as(m.get("args")); w.until = (Long) m.get("until"); w.restored = true;
                t.waiting.put(w.id, w); t.show(w.user, null, "<i>zurück</i>");
            }
            talks.put(t.name, t);
            for (Waiting w : List.copyOf(t.waiting.values())) {
                if (w.state.equals("leaving")) settle(t, w, "Error: the runtime was restarted while it asked the tool.", false);
                else expire(t, w);
            }
            if (!t.settled.isEmpty()) t.lane.submit(() -> proceed(t));
        }
    }

    // ---- tools -----------------------------------------------------------------------------------------------------

    static HttpResponse<String> send(String method, String url, Object body, Duration within) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(url)).timeout(within);
        if (body == null) request.header("Accept", "application/json").GET();
        else request.header("content-Type", "application/json").method(method, HttpRequest.BodyPublishers.ofByteArray(
            Json.write(body, true).replace("/", "\\/").getBytes(StandardCharsets.UTF_8)));
        return web.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** A new conversation asks all toolsets; what is invalid, or named twice, is not there. */
    static Map<String, Object> discover() {
        var found = new LinkedHashMap<String, Object>(); var twice = new HashSet<String>();
        for (int n = 0; n < toolsets.length; n++) {
            try {
                var answer = send("GET", toolsets[n] + "/.well-known/rap-toolset", null, Duration.ofSeconds(10));
                if (answer.statusCode() != 200) throw new IOException("status " + answer.statusCode());
                var set = Json.object(answer.body());
                if (!(set.get("name") instanceof String s) || s.isEmpty() || s.length() > 128) throw new IOException("no name");
                if (!URI.create((String) set.get("endpoint")).isAbsolute()) throw new IOException("no endpoint");
                List<Object> tools = as(set.get("tools")); if (tools.isEmpty()) throw new IOException("no tools");
                var these = new LinkedHashMap<String, Object>();
                for (Object o : tools) {
                    Map<String, Object> tool = as(o); String name = as(tool.get("name"));
                    if (name.isEmpty() || name.length() > 128 || name.contains(" ")) throw new IOException("a tool's name");
                    if (!(tool.get("description") instanceof String) || !(tool.get("inputSchema") instanceof Map<?, ?>)) throw new IOException("a tool");
                    these.put(name, Json.map("endpoint", set.get("endpoint"), "offered", "s" + n + "__" + name, "schema", tool.get("inputSchema"), "says", tool.get("description")));
                }
                for (var e : these.entrySet()) if (found.put(e.getKey(), e.getValue()) != null) twice.add(e.getKey());
            } catch (Exception e) { log("toolset " + n + " is unusable: " + e.getMessage()); }
        }
        for (String name : twice) { log("two tools are called " + name); found.remove(name); }
        return found;
    }

    static String misfit(Map<String, Object> schema, Map<String, Object> args) {
        if (schema.get("required") instanceof List<?> l) for (Object name : l) if (!args.containsKey(name)) return name + " is missing";
        Map<String, Object> known = schema.get("properties") instanceof Map<?, ?> m ? as(m) : Map.of();
        for (var e : args.entrySet()) {
            if (!known.containsKey(e.getKey())) { if (Boolean.FALSE.equals(schema.get("additionalProperties"))) return e.getKey() + " is unknown"; continue; }
            Object type = known.get(e.getKey()) instanceof Map<?, ?> m ? m.get("type") : null, v = e.getValue();
            boolean fits = !(type instanceof String s) || switch (s) {
                case "string" -> v instanceof String; case "boolean" -> v instanceof Boolean; case "array" -> v instanceof List; case "object" -> v instanceof Map;
                case "integer" -> v instanceof Long || v instanceof Double d && d % 1 == 0; case "number" -> v instanceof Number; default -> true; };
            if (!fits) return e.getKey() + " is no " + type;
        }
        return null;
    }

    static void invoke(Talk t, Waiting w, String endpoint) {
        String back = self + "/r%C3%BCck/%2E;v=1/?an=" + enc(t.name) + "&sig=" + enc(t.key) + "&&=";
        var message = Json.map("user_id", w.user, "thread_ancestors", null, "group_id", t.group, "callback_url", back,
            "call_id", w.callId, "id", w.id, "arguments", w.args, "operation", w.name);
        String why = "could not be reached";
        for (int attempt = 0; attempt < 4; attempt++) {
            try {
                if (attempt > 0) Thread.sleep(200L << attempt);
                int status = send("POST", endpoint, message, Duration.ofSeconds(30)).statusCode();
                if (status == 200) {
                    synchronized (t) { if (w.state.equals("leaving")) { w.state = "there"; t.keep(); } }
                    return;
                }
                why = "refused the invocation with status " + status;
                if (status < 500) break;
            } catch (HttpTimeoutException e) { why = "did not answer"; break;
            } catch (Exception e) { why = "could not be reached"; }
            synchronized (t) { if (!t.waiting.containsKey(w.id)) return; }
        }
        settle(t, w, "Error: the tool " + why + ".", false);
    }

    static String enc(String s) { return URLEncoder.encode(s, StandardCharsets.UTF_8).replace("+", "%20"); }

    static void expire(Talk t, Waiting w) {
        clock.schedule(() -> settle(t, w, "Error: nobody authorized this in time; it was given up.", true), Math.max(0, w.until - System.currentTimeMillis()), TimeUnit.MILLISECONDS);
    }

    static void notifyTools(Talk t, String call) {
        var told = new ArrayList<Future<?>>();
        for (String base : toolsets) told.add(pool.submit(() -> {
            try { send("POST", base + "/cancel_tool_call", Json.map("tool_call_id", call, "thread_id", t.group), Duration.ofSeconds(5)); }
            catch (Exception e) { log("a toolset was not told of a cancellation"); }
        }));
        if (bad.equals("cancelled-when-tools-know")) for (var f : told) try { f.get(); } catch (Exception e) { log("told nobody"); }
    }

    /** The end of a call; whoever comes second finds nothing. */
    static boolean settle(Talk t, Waiting w, String text, boolean tell) {
        if (bad.equals("cancelled-when-tools-know") && tell && t.waiting.containsKey(w.id)) { notifyTools(t, w.id); tell = false; }
        if (bad.equals("results-stripped")) text = text.strip();
        if (bad.equals("results-escaped")) text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        if (bad.equals("results-cut-at-50000") && text.length() > 50_000) text = text.substring(0, 50_000) + "…";
        synchronized (t) {
            if (t.waiting.remove(w.id) == null) return false;
            w.url = null;
            if (!bad.equals("link-waits-for-late-viewer")) t.shown.values().forEach(q -> q.removeIf(s -> w.id.equals(s.call)));
            if (w.subscribes) t.subscriptions.add(w.id);
            t.settled.add(Json.map("name", w.name, "args", w.args, "result", text, "user", w.user, "id", w.id));
            t.keep();
        }
        if (tell) notifyTools(t, w.id);
        t.lane.submit(() -> proceed(t));
        return true;
    }

    // ---- the model -------------------------------------------------------------------------------------------------

    static void proceed(Talk t) {
        try {
            String user = null;
            synchronized (t) {
                for (Object o : t.settled) { Map<String, Object> call = as(o); user = as(call.get("user")); t.history.add(Json.map("call", call)); }
                if (user == null) return;
                t.settled.clear(); t.keep();
            }
            turn(t, user);
        } catch (Exception e) { log("a turn failed: " + e); }
    }

    static void said(Talk t, String user, String text) {
        try {
            synchronized (t) { if (t.tools == null) t.tools = discover(); t.history.add(Json.map("user", user, "text", text)); t.keep(); }
            turn(t, user);
        } catch (Exception e) { log("a turn failed: " + e); t.show(user, null, "<p>Der Assistent antwortet gerade nicht.</p>"); }
    }

    static Map<String, Object> offered(Talk t, String name) {
        Map<String, Object> tool = as(t.tools.get(name)); return tool;
    }

    static Object request(Talk t) {
        var contents = new ArrayList<Object>();
        for (Object o : t.history) {
            Map<String, Object> h = as(o);
            if (h.get("call") instanceof Map<?, ?> call) {
                String name = call.get("event") != null ? "receive_event__injected" : (String) offered(t, (String) call.get("name")).get("offered");
                contents.add(Json.map("role", "model", "parts", List.of(Json.map("functionCall", Json.map("name", name, "args", call.get("args"))))));
                contents.add(Json.map("role", "user", "parts", List.of(Json.map("functionResponse", Json.map("name", name, "response", Json.map("output", call.get("result")))))));
            } else contents.add(Json.map("role", h.containsKey("user") ? "user" : "model", "parts", List.of(Json.map("text", h.get("text")))));
        }
        var declared = new ArrayList<Object>();
        for (var e : t.tools.entrySet()) {
            Map<String, Object> tool = as(e.getValue());
            declared.add(Json.map("name", tool.get("offered"), "description", tool.get("says"), "parametersJsonSchema", tool.get("schema")));
        }
        declared.add(Json.map("name", "cancel_subscription", "description", "Ends a subscription.", "parametersJsonSchema",
            Json.map("type", "object", "properties", Json.map("tool_call_id", Json.map("type", "string")), "required", List.of("tool_call_id"))));
        var states = new StringBuilder("You are the assistant of a conversation.");
        for (Waiting w : t.waiting.values())
            states.append("\nPending: ").append(w.name).append(' ').append(Json.write(w.args, false)).append(w.state.equals("asks")
                ? " waits for the authorization by its user, which is in progress; do not call it again." : " is running.");
        return Json.map("systemInstruction", Json.map("parts", List.of(Json.map("text", states.toString()))), "contents", contents,
            "tools", List.of(Json.map("functionDeclarations", declared)));
    }

    static void turn(Talk t, String user) throws Exception {
        String body; synchronized (t) { body = Json.write(request(t), false); }
        var answer = web.send(HttpRequest.newBuilder(URI.create(model)).timeout(Duration.ofSeconds(60)).header("content-type", "application/json").header("x-goog-api-key", env("MODEL_KEY"))
            .POST(HttpRequest.BodyPublishers.ofString(body)).build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) throw new IOException("the model answered " + answer.statusCode());
        Map<String, Object> candidate = as(((List<?>) Json.object(answer.body()).get("candidates")).get(0));
        Map<String, Object> content = as(candidate.get("content"));
        boolean again = false;
        for (Object o : content.get("parts") instanceof List<?> l ? l : List.of()) {
            Map<String, Object> part = as(o);
            if (part.get("text") instanceof String text && !text.isBlank()) {
                synchronized (t) { t.history.add(Json.map("text", text)); t.keep(); t.showAll("<p>" + html(text) + "</p>"); }
            }
            if (part.get("functionCall") instanceof Map<?, ?> call) again |= called(t, user, as(call));
        }
        if (again) turn(t, user);
    }

    /** True when the model has to go on at once, because the call has a result already. */
    static boolean called(Talk t, String user, Map<String, Object> call) {
        String wanted = (String) call.get("name");
        Map<String, Object> args = call.get("args") instanceof Map<?, ?> m ? as(m) : new LinkedHashMap<>();
        if (wanted.equals("cancel_subscription")) {
            String id = Objects.toString(args.get("tool_call_id"), ""); boolean there;
            synchronized (t) { there = t.subscriptions.remove(id); t.history.add(Json.map("text", there ? "(Subscription cancelled.)" : "(Error: no such subscription.)")); t.keep(); }
            if (there) notifyTools(t, id);
            return false;
        }
        for (var e : t.tools.entrySet()) {
            Map<String, Object> tool = as(e.getValue());
            if (!wanted.equals(tool.get("offered"))) continue;
            var w = new Waiting();
            w.id = "№ " + random() + " 'é\\/?#\uD83E\uDD8A"; w.callId = random(); w.name = e.getKey(); w.args = args; w.user = user; w.state = "leaving";
            w.until = System.currentTimeMillis() + patience;
            String misfit = misfit(as(tool.get("schema")), args);
            synchronized (t) {
                if (misfit != null) { t.history.add(Json.map("call", Json.map("name", w.name, "args", args, "result", "Error: " + misfit, "user", user, "id", w.id))); t.keep(); return true; }
                t.waiting.put(w.id, w); t.keep();
            }
            expire(t, w);
            pool.submit(() -> invoke(t, w, (String) tool.get("endpoint")));
            return false;
        }
        synchronized (t) { t.history.add(Json.map("text", "(There is no tool " + wanted + ".)")); t.keep(); }
        return false;
    }

    // ---- callbacks -------------------------------------------------------------------------------------------------

    static boolean usable(String url) {
        try {
            URI u = new URI(url);
            return "https".equalsIgnoreCase(u.getScheme()) && u.getHost() != null && u.getRawUserInfo() == null;
        } catch (URISyntaxException e) { return false; }
    }

    static String words(Map<String, Object> m) {
        if (!(m.get("content") instanceof List<?> items)) return m.get("text") instanceof String s ? s : null;
        var all = new ArrayList<String>();
        for (Object o : items) {
            if (!(o instanceof Map<?, ?> item)) return null;
            if ("text".equals(item.get("type")) && item.get("text") instanceof String s) all.add(s);
            else if ("image".equals(item.get("type")) && bad.equals("images-dropped")) continue;
            else if ("image".equals(item.get("type")) && bad.equals("images-refused")) return null;
            else if ("image".equals(item.get("type")) && item.get("data") instanceof String && item.get("mediaType") instanceof String) all.add("[an image, which this model cannot see]");
            else return null;
        }
        return items.isEmpty() ? null : String.join("\n", all);
    }

    static int callback(String query, byte[] bytes) {
        Map<String, Object> m; Talk t;
        try {
            m = Json.object(StandardCharsets.UTF_8.newDecoder().decode(java.nio.ByteBuffer.wrap(bytes)).toString());
            var given = new HashMap<String, String>();
            for (String pair : query.split("&")) { String[] p = pair.split("=", 2); given.put(p[0], p.length > 1 ? URLDecoder.decode(p[1], StandardCharsets.UTF_8) : ""); }
            t = talks.get(Objects.toString(given.get("an"), ""));
            if (t == null || !t.key.equals(given.get("sig"))) return 403;
        } catch (Exception e) { return 422; }
        if (!t.group.equals(m.get("group_id")) && !(bad.equals("ids-without-case") && t.group.equalsIgnoreCase((String) m.get("group_id")))) return 404;
        Object type = m.get("type");
        synchronized (t) {
            if ("view_update".equals(type)) {
                if (!(m.get("view_type") instanceof String view) || !(m.get("content") instanceof Map<?, ?> c)) return 422;
                t.views.put(view, c); t.keep(); return 202;
            }
            if ("subscription_event".equals(type)) {
                if (!(m.get("text") instanceof String text)) return 422;
                if (!t.subscriptions.contains(m.get("tool_call_id"))) return 410;
                if (Boolean.TRUE.equals(m.get("final"))) t.subscriptions.remove(m.get("tool_call_id"));
                t.settled.add(Json.map("event", true, "user", "", "args", Json.map("original_tool_call_id", m.get("tool_call_id")), "result", text));
                t.keep(); t.lane.submit(() -> proceed(t)); return 200;
            }
            Waiting found = m.get("id") instanceof String id ? t.waiting.get(id) : null;
            if (found == null && bad.equals("ids-without-case")) for (Waiting o : t.waiting.values()) if (o.id.equalsIgnoreCase((String) m.get("id"))) found = o;
            Waiting w = found;
            if (w == null) return 410;
            if (m.get("call_id") != null && !w.callId.equals(m.get("call_id"))) return 422;
            if ("oauth".equals(type)) {
                if (!(m.get("auth_url") instanceof String url) || !usable(url)) return 422;
                if (url.equals(w.url)) return 200;
                if (w.restored && bad.equals("asked-before-restart-only")) return 409;
                if (bad.equals("link-normalised")) url = URI.create(url).normalize().toASCIIString();
                w.url = url; w.state = "asks"; t.keep();
                t.shown.values().forEach(q -> q.removeIf(s -> w.id.equals(s.call)));
                t.show(w.user, w.id, "<p><b>" + html(w.name) + "</b> braucht Ihre Erlaubnis: <a target=_blank rel=noreferrer href='" + html(url) + "'>anmelden</a></p>");
                if (bad.equals("link-to-everybody")) for (String u : List.copyOf(t.shown.keySet())) if (!u.equals(w.user)) t.show(u, w.id, html(url));
                return 200;
            }
            if ("user_choice".equals(type)) {
                if (!(m.get("choices") instanceof List<?> l) || l.isEmpty() || !(m.get("prompt") instanceof String p) || !(m.get("response_url") instanceof String)) return 422;
                w.choice = m; t.keep(); t.show(w.user, w.id, "<p>" + html(p) + " " + html(l.toString()) + "</p>"); return 200;
            }
            if (!"tool_result".equals(type)) return 422;
            String text = words(m);
            if (text == null || m.get("text") != null && !(m.get("text") instanceof String)) return 422;
            w.subscribes = Boolean.TRUE.equals(m.get("subscription"));
            return settle(t, w, text, false) ? 200 : 410;
        }
    }

    // ---- what is served --------------------------------------------------------------------------------------------

    static String html(String s) {
        var b = new StringBuilder();
        s.codePoints().forEach(c -> b.append("<>&'\"=".indexOf(c) >= 0 ? "&#x" + Integer.toHexString(c) + ";" : c == '%' ? "&#37;" : c == '/' ? "&sol;" : Character.toString(c)));
        return b.toString();
    }

    static void serve(HttpExchange x) throws IOException {
        int status = 404; String text = "";
        try (x) {
            String path = x.getRequestURI().getRawPath(), query = Objects.toString(x.getRequestURI().getRawQuery(), "");
            byte[] body = x.getRequestBody().readNBytes(20_000_000);
            String[] p = path.split("/");
            if (path.equals("/r%C3%BCck/%2E;v=1/") && x.getRequestMethod().equals("POST")) status = callback(query, body);
            else if (p.length == 4 && p[1].equals("g")) {
                String name = URLDecoder.decode(p[2], StandardCharsets.UTF_8), user = URLDecoder.decode(p[3], StandardCharsets.UTF_8);
                Talk t = talk(name);
                switch (x.getRequestMethod()) {
                    case "POST" -> {
                        String said = new String(body, StandardCharsets.UTF_8);
                        synchronized (t) { t.shown.computeIfAbsent(user, u -> new ArrayDeque<>()); }
                        t.lane.submit(() -> said(t, user, said)); status = 204;
                    }
                    case "GET" -> {
                        var b = new StringBuilder("<!doctype html><title>Gespräch</title>");
                        synchronized (t) { var q = t.shown.get(user); while (q != null && !q.isEmpty()) b.append(q.poll().html); }
                        text = b.toString(); status = 200;
                    }
                    case "DELETE" -> {
                        List<Waiting> all; synchronized (t) { all = List.copyOf(t.waiting.values()); }
                        for (Waiting w : all) settle(t, w, "Error: interrupted by the user.", true);
                        status = 202;
                    }
                    default -> status = 405;
                }
            }
            byte[] out = text.getBytes(StandardCharsets.UTF_8);
            if (out.length > 0) x.getResponseHeaders().set("content-TYPE", "text/html;charset=utf-8");
            x.sendResponseHeaders(status, out.length > 0 ? 0 : -1);
            if (out.length > 0) x.getResponseBody().write(out);
        } catch (RuntimeException e) { log("a request failed: " + e); x.sendResponseHeaders(500, -1); }
    }

    public static void main(String[] args) throws Exception {
        restore();
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(env("PORT"))), 200);
        server.createContext("/", RapRuntime::serve);
        server.setExecutor(pool);
        server.start();
    }
}
