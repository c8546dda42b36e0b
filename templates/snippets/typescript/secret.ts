import { Secret, type Stack } from 'gantry';

/** A login. Set SAMPLE_PASSWORD for anything but development: a value in this file is in its history for good. */
export function addSampleSecret(stack: Stack): Secret {
  const password = process.env['SAMPLE_PASSWORD'] ?? 'development-only';
  return new Secret(stack, 'sample', { type: 'userpass', data: { username: 'app', password } });
}
