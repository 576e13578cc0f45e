<?php

// A shop's server: a page with the checkout, a webhook that delivers, and the state of an order.
// Run it with: VEZNE_URL=… VEZNE_KEY=… VEZNE_WEBHOOK_SECRET=… php -S localhost:8000 shop.php

declare(strict_types=1);

require __DIR__ . '/Vezne.php';

[$url, $key, $secret] = array_map(fn ($name) => (string) getenv($name), ['VEZNE_URL', 'VEZNE_KEY', 'VEZNE_WEBHOOK_SECRET']);
$service = getenv('SERVICE') ?: 'DEMO';
$origin = "http://$_SERVER[HTTP_HOST]";
$vezne = new Vezne($url, $key);
// A real shop has a database. Here, an order is a file, and what was delivered another.
$folder = getenv('ORDERS') ?: sys_get_temp_dir() . '/vezne-shop';
@mkdir($folder, recursive: true);

function isOrder(string $folder, string $order): bool
{
    return preg_match('/^S-\w+$/D', $order) === 1 && is_file("$folder/$order");
}

try {
    [, $first, $order] = explode('/', parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH) . '//');
    if ($first === '' || $first === 'new') {
        // The order of the shopper's cart stays the same over a reload. A real shop has it in the shopper's session.
        $order = $first === '' && is_string($_COOKIE['cart'] ?? null) ? $_COOKIE['cart'] : '';
        if (!isOrder($folder, $order)) {
            $order = 'S-' . bin2hex(random_bytes(6));
            touch("$folder/$order");
        }
        setcookie('cart', $order, ['path' => '/', 'httponly' => true, 'samesite' => 'Lax', 'expires' => time() + 259200]);
        if ($first === 'new') {
            header('location: /', true, 303);
            exit;
        }
        // Only the server says what the shopper pays.
        $session = $vezne->createSession(
            ['kind' => 'payment', 'origin' => $origin, 'service' => $service, 'order' => $order, 'amount' => '149.90'],
            "session-$order",
        );
        ?>
<!doctype html>
<html lang="tr">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Lamba</title>
<h1>Ahşap masa lambası</h1>
<link rel="stylesheet" href="<?= $url ?>/vezne.css">
<script type="module" src="<?= $url ?>/vezne.js"></script>
<vezne-checkout session="<?= $session['token'] ?>">
  <span>Banka listesi açılmazsa bizi arayın: 0850 000 00 00.</span>
  <a slot="paid" hidden href="/new">Yeni sipariş ver</a>
</vezne-checkout>
<p><a href="/orders/<?= $order ?>"><?= $order ?></a></p>
<?php
    } elseif ($first === 'orders' && isOrder($folder, $order)) {
        header('content-type: application/json');
        $payment = $vezne->getOrder($service, $order)['payment'] ?? null;
        echo json_encode(['state' => $payment['state'] ?? 'unknown', 'delivered' => is_file("$folder/$order.delivered")]);
    } elseif ($first === 'vezne' && $_SERVER['REQUEST_METHOD'] === 'POST') {
        $event = Vezne::verifyWebhook((string) file_get_contents('php://input'), $_SERVER, $secret);
        $order = $event['data']['order'] ?? '';
        // An event may arrive twice. The order is delivered once, because it has one such file.
        if (in_array($event['type'], ['payment.received', 'payment.overpaid'], true) && isOrder($folder, $order)) {
            touch("$folder/$order.delivered");
        }
        http_response_code(204);
    } else {
        http_response_code(404);
    }
} catch (WebhookError) {
    http_response_code(400);
} catch (VezneError $error) {
    error_log($error->getMessage());
    http_response_code($error->reason === 'unknown_order' ? 404 : 502);
}
