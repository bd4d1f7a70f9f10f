package example;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A login with the JDK's client, as the code under test would do it. */
class LoginTest {
  @RegisterExtension static final MockProvider provider = new MockProvider();

  private static final String CALLBACK = "http%3A%2F%2Flocalhost%3A3000%2Fcallback";
  // the example of RFC 7636, Appendix B
  private static final String VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
  private static final String CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void login() throws Exception {
    String query =
        "response_type=code&client_id=web&redirect_uri=" + CALLBACK + "&scope=items:read&state=xyz"
            + "&code_challenge=" + CHALLENGE + "&code_challenge_method=S256";
    HttpResponse<String> back = send(to("/authorize?" + query));
    String code = found("[?&]code=([^&]+)", back.headers().firstValue("location").orElseThrow());
    String form =
        "grant_type=authorization_code&code=" + code + "&redirect_uri=" + CALLBACK
            + "&code_verifier=" + VERIFIER + "&client_id=web&client_secret=s";
    HttpRequest.Builder exchange = to("/token").header("content-type", "application/x-www-form-urlencoded");
    HttpResponse<String> tokens = send(exchange.POST(HttpRequest.BodyPublishers.ofString(form)));
    String token = found("\"access_token\":\"([^\"]+)\"", tokens.body());
    String items = send(to("/resource/items").header("authorization", "Bearer " + token)).body();
    assertTrue(items.contains("Welcome, alice"), items);
  }

  private static HttpRequest.Builder to(String target) {
    return HttpRequest.newBuilder(URI.create(provider.issuer() + target));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static String found(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertTrue(matcher.find(), text);
    return matcher.group(1);
  }
}
