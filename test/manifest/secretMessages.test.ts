import { expect, test } from 'vitest';
import { loadValidators } from '../../src/kinds/validators.ts';
import { checkManifests } from '../../src/manifest/checkManifests.ts';
import { renderProblem } from '../../src/manifest/model/locatedProblem.ts';
import { parseManifestText } from '../../src/manifest/parseManifestText.ts';

/** A word that occurs nowhere else, to find it in messages. */
const canary = 'xQ7canaryZ9';

const validators = await loadValidators(['secret']);

/** The fields of `data` by type, and one that no type has. */
const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  aws: ['accessKey', 'secretKey', 'roleArn', 'externalId'],
  'azure-connector': ['url', 'code'],
  'azure-sdk': [],
  dictionary: ['anything'],
  docker: [],
  ecr: ['accessKey', 'secretKey', 'roleArn', 'externalId', 'repos'],
  gcp: [],
  keypair: ['secretKey', 'publicKey', 'passphrase'],
  'nats-account': ['accountId', 'privateKey'],
  opaque: ['payload', 'encoding'],
  tls: ['cert', 'key', 'chain'],
  userpass: ['username', 'password', 'encoding'],
  nosuch: ['payload'],
};

/** Invalid forms of a value. */
const forms: readonly string[] = [
  canary,
  `"${canary}"`,
  `'${canary} with spaces'`,
  `[${canary}]`,
  `[[${canary}]]`,
  `{a: ${canary}}`,
  `{${canary}}`,
  `{"${canary}!": x}`,
  `{"${canary} x"}`,
  `{a: [{b: ${canary}}]}`,
  `"{\\"auths\\": \\"${canary}\\"}"`,
  `"{\\"type\\": \\"${canary}\\", \\"private_key\\": 1}"`,
  `"{${canary}"`,
  `"https://user:${canary}@host"`,
  `"${canary}\\n${canary}"`,
  `"base6${canary}"`,
  `"-----BEGIN ${canary}-----"`,
];

function said(text: string): string {
  const { documents, problems } = parseManifestText({ text, file: 'f', format: 'yaml' });
  const checked = checkManifests(documents, { org: 'local', validators }).problems;
  return [...problems, ...checked].map(renderProblem).join('\n');
}

test.each(Object.entries(fieldsOf))(
  'no message about a secret of type %s contains one of its values',
  (type, fields) => {
    const head = `kind: secret\nname: one\ntype: ${type}\n`;
    for (const form of forms) {
      expect(said(`${head}data: ${form}\n`)).not.toContain(canary);
      for (const field of [...fields, 'other']) {
        expect(said(`${head}data:\n  ${field}: ${form}\n`)).not.toContain(canary);
      }
      expect(said(`${head}data: [${form}]\n`)).not.toContain(canary);
    }
  },
);

test('plain names of fields are shown, with suggestions', () => {
  expect(said('kind: secret\nname: one\ntype: opaque\ndata: {paylod: x}\n')).toContain('"paylod" is not allowed');
});
