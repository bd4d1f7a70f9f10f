package example;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.AuthorizationGrant;
import com.nimbusds.oauth2.sdk.RefreshTokenGrant;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.oauth2.sdk.token.AccessToken;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.AuthenticationResponse;
import com.nimbusds.openid.connect.sdk.AuthenticationResponseParser;
import com.nimbusds.openid.connect.sdk.Nonce;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser;
import com.nimbusds.openid.connect.sdk.Prompt;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator;
import java.net.URI;
import java.net.URL;

/** A login by the client of Nimbus, as its documentation has it: {@code Login ISSUER} prints what came of it. */
public final class Login {
  public static void main(String[] arguments) throws Exception {
    Issuer issuer = new Issuer(arguments[0]);
    OIDCProviderMetadata metadata = OIDCProviderMetadata.resolve(issuer);
    ClientID client = new ClientID("web");
    URI callback = URI.create("http://localhost:3000/callback");
    CodeVerifier verifier = new CodeVerifier();
    Nonce nonce = new Nonce();
    State state = new State();
    URI url =
        new AuthenticationRequest.Builder(
                new ResponseType("code"), new Scope("openid", "items:read", "offline_access"), client, callback)
            .endpointURI(metadata.getAuthorizationEndpointURI())
            .state(state)
            .nonce(nonce)
            .prompt(new Prompt(Prompt.Type.CONSENT))
            .codeChallenge(verifier, CodeChallengeMethod.S256)
            .build()
            .toURI();
    HTTPRequest visit = new HTTPRequest(HTTPRequest.Method.GET, url);
    visit.setFollowRedirects(false);
    AuthenticationResponse back = AuthenticationResponseParser.parse(visit.send().getLocation());
    if (!state.equals(back.getState())) throw new IllegalStateException("state");
    AuthorizationCode code = back.toSuccessResponse().getAuthorizationCode();
    ClientSecretBasic basic = new ClientSecretBasic(client, new Secret("s"));
    OIDCTokenResponse tokens = ask(metadata, basic, new AuthorizationCodeGrant(code, callback, verifier));
    URL keys = metadata.getJWKSetURI().toURL();
    String subject =
        new IDTokenValidator(issuer, client, JWSAlgorithm.RS256, keys)
            .validate(tokens.getOIDCTokens().getIDToken(), nonce)
            .getSubject()
            .getValue();
    OIDCTokenResponse again =
        ask(metadata, basic, new RefreshTokenGrant(tokens.getOIDCTokens().getRefreshToken()));
    AccessToken token = again.getOIDCTokens().getAccessToken();
    HTTPRequest api = new HTTPRequest(HTTPRequest.Method.GET, URI.create(issuer + "/resource/items"));
    api.setAuthorization(token.toAuthorizationHeader());
    System.out.printf(
        "{\"subject\":\"%s\",\"items\":%s,\"refreshed\":%b}%n",
        subject, api.send().getBody(), !token.equals(tokens.getOIDCTokens().getAccessToken()));
  }

  private static OIDCTokenResponse ask(
      OIDCProviderMetadata metadata, ClientSecretBasic basic, AuthorizationGrant grant) throws Exception {
    TokenRequest request = new TokenRequest.Builder(metadata.getTokenEndpointURI(), basic, grant).build();
    return (OIDCTokenResponse) OIDCTokenResponseParser.parse(request.toHTTPRequest().send()).toSuccessResponse();
  }
}
