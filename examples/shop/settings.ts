/** A value of the environment, or what is good enough on a developer's machine. */
function setting(name: string, development: string): string {
  return process.env[name] ?? development;
}

/** Where the shop is reachable. */
export const host = setting('SHOP_HOST', 'shop.example.com');

/** The version of the shop's own images. */
export const version = setting('SHOP_VERSION', '1.4.0');

/** Of the database. Set SHOP_DB_PASSWORD for anything but development. */
export const databasePassword = setting('SHOP_DB_PASSWORD', 'development-only');

/** Of the payment provider. Set SHOP_PAYMENT_KEY for anything but development. */
export const paymentKey = setting('SHOP_PAYMENT_KEY', 'pk-development-only');
