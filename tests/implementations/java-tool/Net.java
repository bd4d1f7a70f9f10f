import java.io.*;
import java.net.*;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.security.KeyStore;
import java.security.cert.*;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.regex.*;
import javax.net.ssl.*;

/** Outgoing requests: the JDK's client for provider and API, a byte-exact one for opaque callback URLs. */
final class Net {
    record Resp(int status, HttpHeaders headers, String body) {}
    final SSLContext tls; final HttpClient client; final long timeoutMs;

    Net(String caFile, long timeoutMs, Executor pool) throws Exception {
        this.timeoutMs = timeoutMs;
        KeyStore ks = KeyStore.getInstance(KeyStore.getDefaultType()); ks.load(null, null);
        TrustManagerFactory sys = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        sys.init((KeyStore) null); int n = 0;
        for (TrustManager t : sys.getTrustManagers())
            if (t instanceof X509TrustManager x) for (X509Certificate c : x.getAcceptedIssuers()) ks.setCertificateEntry("s" + n++, c);
        if (caFile != null && !caFile.isEmpty()) try (InputStream in = Files.newInputStream(Path.of(caFile))) {
            for (var c : CertificateFactory.getInstance("X.509").generateCertificates(in)) ks.setCertificateEntry("c" + n++, c);
        }
        TrustManagerFactory f = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm()); f.init(ks);
        tls = SSLContext.getInstance("TLS"); tls.init(null, f.getTrustManagers(), null);
        client = HttpClient.newBuilder().sslContext(tls).executor(pool).version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER).connectTimeout(Duration.ofSeconds(4)).build();
    }

    /** One request with a deadline that covers the body too. */
    Resp send(String method, String url, String body, String... headers) throws IOException {
        HttpRequest.Builder b = HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofMillis(timeoutMs))
            .method(method, body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) b.headers(headers);
        var job = client.sendAsync(b.build(), HttpResponse.BodyHandlers.ofByteArray());
        try {
            var r = job.get(timeoutMs, TimeUnit.MILLISECONDS);
            return new Resp(r.statusCode(), r.headers(), new String(r.body(), StandardCharsets.UTF_8));
        } catch (Exception e) { job.cancel(true); throw new IOException("no usable answer"); }
    }

    static final Pattern URL = Pattern.compile("(?i)(https?)://(?:([^/?#@]*)@)?(\\[[0-9a-f:.%]+\\]|[^/?#:@\\[\\]]+)(?::(\\d{1,5}))?([/?][^#]*)?(#.*)?");
    static boolean usable(String url) {
        if (url.length() > 16384 || url.chars().anyMatch(c -> c <= 0x20 || c == 0x7f)) return false;
        Matcher m = URL.matcher(url);
        return m.matches() && (m.group(4) == null || Integer.parseInt(m.group(4)) < 65536 && Integer.parseInt(m.group(4)) > 0);
    }

    /** POSTs JSON to an opaque URL: the request target is exactly the text of the URL. Returns the status. */
    int post(String url, byte[] json) throws IOException {
        Matcher m = URL.matcher(url); if (!m.matches()) throw new IOException("url");
        boolean https = m.group(1).equalsIgnoreCase("https");
        String host = m.group(3), target = m.group(5) == null ? "/" : m.group(5).startsWith("?") ? "/" + m.group(5) : m.group(5);
        int port = m.group(4) == null ? https ? 443 : 80 : Integer.parseInt(m.group(4));
        StringBuilder t = new StringBuilder();
        for (byte x : target.getBytes(StandardCharsets.UTF_8)) if (x < 0) t.append(String.format("%%%02X", x & 255)); else t.append((char) x);
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        try (Socket plain = new Socket()) {
            plain.setTcpNoDelay(true); plain.setSoTimeout(10000); plain.connect(new InetSocketAddress(bare, port), 4000);
            Socket s = plain;
            if (https) {
                SSLSocket z = (SSLSocket) tls.getSocketFactory().createSocket(plain, bare, port, true);
                SSLParameters p = z.getSSLParameters(); p.setEndpointIdentificationAlgorithm("HTTPS"); z.setSSLParameters(p); z.startHandshake(); s = z;
            }
            ByteArrayOutputStream o = new ByteArrayOutputStream();
            String auth = m.group(2) == null ? "" : "Authorization: Basic " + Base64.getEncoder().encodeToString(URLDecoder.decode(m.group(2).replace("+", "%2B"), StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8)) + "\r\n";
            o.write(("POST " + t + " HTTP/1.1\r\nHost: " + host + (m.group(4) == null ? "" : ":" + port) + "\r\n" + auth
                + "content-type: Application/JSON; charset=\"utf-8\"\r\nTransfer-Encoding: chunked\r\nConnection: close\r\nAccept: */*;q=0.1\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            int half = json.length / 2;   // two chunks
            for (int[] r : new int[][] { { 0, half }, { half, json.length } }) if (r[1] > r[0]) {
                o.write((Integer.toHexString(r[1] - r[0]) + "\r\n").getBytes()); o.write(json, r[0], r[1] - r[0]); o.write("\r\n".getBytes());
            }
            o.write("0\r\n\r\n".getBytes()); s.getOutputStream().write(o.toByteArray()); s.getOutputStream().flush();
            InputStream in = new BufferedInputStream(s.getInputStream());
            for (;;) {
                Matcher st = Pattern.compile("HTTP/1\\.[01] (\\d{3})( .*)?").matcher(line(in));
                if (!st.matches()) throw new IOException("no status");
                while (!line(in).isEmpty()) { /* headers are of no interest */ }
                int code = Integer.parseInt(st.group(1));
                if (code < 200) continue;
                try { s.setSoTimeout(500); in.readNBytes(65536); } catch (IOException e) { /* the body does not matter */ }
                return code;
            }
        }
    }
    private static String line(InputStream in) throws IOException {
        StringBuilder b = new StringBuilder();
        for (int c; (c = in.read()) != '\n'; ) { if (c < 0 || b.length() > 65536) throw new IOException("end"); if (c != '\r') b.append((char) c); }
        return b.toString();
    }

    static String enc(String s) { return URLEncoder.encode(s, StandardCharsets.UTF_8); }
    static String form(String... kv) {
        StringJoiner j = new StringJoiner("&");
        for (int i = 0; i < kv.length; i += 2) if (kv[i + 1] != null) j.add(enc(kv[i]) + "=" + enc(kv[i + 1]));
        return j.toString();
    }
}
