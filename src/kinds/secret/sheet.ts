import { serving, usualPermissions } from '../common/facts.ts';
import type { Sheet } from '../common/sheet.ts';
import { secretData, secretFields } from './fields.ts';

export const secret = {
  singular: 'secret',
  plural: 'secrets',
  about:
    'A password, a key, a certificate or another sensitive value. Answers leave the value out; only ' +
    '`-reveal` shows it.',
  className: 'Secret',
  props: 'record',
  discriminator: 'type',
  typeName: 'SecretFields',
  exampleName: 'database',
  hasQuota: true,
  permissions: [...usualPermissions, 'reveal', 'use'],
  /** Records that refer to it softly fail at their next start (platform/deletion.references). */
  risks: serving,
  hiddenField: 'data',
  minimalFields: () => ({ type: 'opaque' }),
  definition: secretFields,
  variants: { by: 'type', field: 'data', definitions: secretData },
  client: async () => (await import('./client.ts')).secretClient,
} satisfies Sheet;
