package example;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The mock provider for the tests of a class: {@code @RegisterExtension static final MockProvider provider}. */
final class MockProvider implements BeforeAllCallback, AfterAllCallback {
  private Process process;
  private String issuer;

  String issuer() {
    return issuer;
  }

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    List<String> command = new ArrayList<>(List.of(System.getenv().getOrDefault("AOC", "npx aoc").split(" ")));
    command.addAll(List.of("provider", "--port", "0", "--clients", "../clients.json"));
    command.addAll(List.of("--auto-approve", "alice", "--json"));
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String line = new BufferedReader(new InputStreamReader(process.getInputStream())).readLine();
    Matcher found = Pattern.compile("\"issuer\":\"([^\"]+)\"").matcher(String.valueOf(line));
    if (!found.find()) throw new IllegalStateException("not ready: " + line);
    issuer = found.group(1);
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    process.destroy();
    process.waitFor();
  }
}
