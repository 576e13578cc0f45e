<?php

// Asks the Worker to send events to a URL, and prints the secret with which it signs them, which is shown only once:
// php webhook.php https://shop.example/vezne

declare(strict_types=1);

require __DIR__ . '/Vezne.php';

try {
    $vezne = new Vezne((string) getenv('VEZNE_URL'), (string) getenv('VEZNE_KEY'));
    echo $vezne->write('POST', 'webhooks', ['url' => $argv[1] ?? ''])['secret'] . "\n";
} catch (VezneError $error) {
    fwrite(STDERR, $error->getMessage() . "\n");
    exit(1);
}
