// A page that opens the payment window for a billing key: docs/03-guides/14-window-keys.md.

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

final class Wallet {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    /**
     * @param wish JSON, such as {"pg":"kakaopay","return_url":"/checkout?plan=tea"}
     * @return JSON: what the window takes
     */
    static String requestKey(String merchant, String apiKey, String memberId, String wish)
            throws IOException, InterruptedException {
        String member = URLEncoder.encode(memberId, StandardCharsets.UTF_8).replace("+", "%20");
        HttpRequest request = HttpRequest.newBuilder(URI.create(merchant + "/api/members/" + member + "/billing-key-requests"))
                .timeout(Duration.ofSeconds(60))
                .header("Authorization", "Bearer " + apiKey)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(wish))
                .build();
        HttpResponse<String> answer = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 201) throw new IOException("no billing key request: " + answer.body());
        // Java has no JSON. This works because `window` is the last field; with a JSON library, read it by its name.
        String body = answer.body();
        String name = "\"window\":";
        return body.substring(body.indexOf(name) + name.length(), body.lastIndexOf('}'));
    }

    /** service, account and script are those of your account. pay-in-window.js is the file that you copy. */
    static String walletButton(String window, String service, String account, String script, String text) {
        return "<a id=\"pay\" href=\"#\" data-service=\"" + escape(service) + "\" data-account=\"" + escape(account)
                + "\" data-payment=\"" + escape(window) + "\">" + escape(text) + "</a>\n"
                + "<p id=\"problem\" role=\"alert\"></p>\n"
                + "<script src=\"" + escape(script) + "\" defer></script>\n"
                + "<script src=\"/pay-in-window.js\" defer></script>";
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("\"", "&quot;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
