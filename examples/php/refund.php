<?php

// Refunds money of an order: php refund.php <order> <amount> <name> <IBAN> <number of the return>
// The number of the return makes the idempotency key: the same return is refunded once, another one again.

declare(strict_types=1);

require __DIR__ . '/Vezne.php';

[, $order, $amount, $name, $iban, $return] = $argv + array_fill(0, 6, '');
try {
    $refund = (new Vezne((string) getenv('VEZNE_URL'), (string) getenv('VEZNE_KEY')))->createRefund(
        ['service' => getenv('SERVICE') ?: 'DEMO', 'order' => $order, 'amount' => $amount, 'contact' => ['name' => $name, 'iban' => $iban]],
        "refund-$order-$return",
    );
    echo "Refund $refund[id]\n";
} catch (VezneError $error) {
    fwrite(STDERR, $error->getMessage() . "\n");
    exit(1);
}
