// Whether an event of docs/03-guides/4-order-events.md is real: Standard Webhooks, version 1.

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

final class VerifyEvent {
    /**
     * @param secret ORDER_EVENTS_SECRET
     * @param body the bytes as they came: JSON that was parsed and written again differs
     */
    static boolean verify(String secret, String id, String timestamp, String signatures, byte[] body)
            throws GeneralSecurityException {
        if (id == null || timestamp == null || signatures == null || !timestamp.matches("\\d{1,12}")) return false;
        // An older one may have been recorded and sent again.
        if (Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(timestamp)) > 5 * 60) return false;
        byte[] key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(StandardCharsets.UTF_8);
        boolean isReal = false;
        // While the secret is changed there are several, with a space between them.
        for (String given : signatures.split(" ")) {
            isReal |= MessageDigest.isEqual(expected, given.getBytes(StandardCharsets.UTF_8));
        }
        return isReal;
    }
}
