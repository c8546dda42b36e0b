/** Letters behind a backslash that mean something in RE2; any other letter is an error there. */
const escapes = /^[aAbBCdDfnpPQErsStvwWxz0]$/;

/**
 * Whether RE2 and this engine compile the expression alike. RE2 syntax that this engine writes differently is rewritten;
 * what RE2 lacks (look-around, back references, unknown escapes) is refused.
 */
export function isRe2(text: string): boolean {
  if (/\(\?<?[=!]/.test(text)) return false;
  for (const [, escaped = ''] of text.matchAll(/\\(.)/gs)) {
    if (/[a-zA-Z0-9]/.test(escaped) && !escapes.test(escaped)) return false;
  }
  const rewritten = text.replace(/^\(\?[imsU]+\)/, '').replaceAll('(?P<', '(?<');
  try {
    new RegExp(rewritten);
    return true;
  } catch {
    return false;
  }
}
