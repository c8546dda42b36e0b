import type { JsonObject } from '../../../../src/base/json/json.ts';
import { c, of as workload } from '../cases/workloadRecords.ts';
import { other } from '../ruleCase.ts';
import { findings } from './findings.ts';

const reading = (...values: readonly string[]) =>
  workload('standard', { env: values.map((value, index) => ({ name: `V${index}`, value })) });
const acting = (link: string, ...values: readonly string[]) => {
  const { spec, ...rest } = reading(...values);
  return { ...rest, spec: { ...(typeof spec === 'object' ? spec : {}), identityLink: link } };
};
const db = other('secret', 'db', { type: 'opaque' });
const granting = (fields: JsonObject, permission = 'reveal', principal = '//gvc/shop/identity/app') =>
  other('policy', `p-${permission}`, {
    targetKind: 'secret',
    ...fields,
    bindings: [
      { permissions: ['use'], principalLinks: ['//gvc/shop/identity/none'] },
      { permissions: ['view', permission], principalLinks: ['//user/ann', principal] },
    ],
  });
const onDb = { targetLinks: ['//secret/other', '//secret/db'] };
const offline = { where: 'offline' } as const;
const ungranted = {
  [`${c}.env.V0.value`]: 'the identity of the workload needs reveal on the secret "db", and no policy here grants it',
};

// biome-ignore format: a row is a case
findings('workload', {
  S8: [
    ...(
      [
        ['opaque', 'payload', 'text'],
        ['userpass', 'username', 'user'],
        ['tls', 'chain', 'ca'],
        ['docker', undefined, 'auths'],
      ] as const
    ).flatMap(([type, right, wrong]) => [
      ...(right === undefined
        ? []
        : [
            [
              `accepts ${right} of ${type} (platform/secret.keys)`,
              reading(`scheme://secret/db.${right}`),
              {},
              { others: [other('secret', 'db', { type })] },
            ] as const,
          ]),
      [`warns of ${wrong} of ${type} (platform/secret.keys)`, reading(`scheme://secret/db.${wrong}`),
        { [`${c}.env.V0.value`]: `the secret "db" needs the key "${wrong}"` },
        { others: [other('secret', 'db', { type })] }] as const,
    ]),
    ['reports nothing about a dictionary whose data was not read', reading('scheme://secret/db.x'), {},
      { others: [other('secret', 'db', { type: 'dictionary' })] }],
    ['reports nothing about an unknown type', reading('scheme://secret/db.x'), {},
      { others: [other('secret', 'db', { type: 'toString' })] }],
    ['reports nothing about a missing secret', reading('scheme://secret/db.x'), {}, { absent: ['secret/db'] }],
    ['accepts the whole secret', reading('scheme://secret/db'), {}, { others: [db] }],
  ],
  S9: [
    ['speaks of each secret once', reading('scheme://secret/db', 'scheme://secret/db', 'scheme://secret/more'),
      { [`${c}.env.V0.value`]: 'the workload needs an identity, because it reads the secret "db"',
        [`${c}.env.V2.value`]: 'the workload needs an identity, because it reads the secret "more"' }, offline],
    ['does not apply on the platform', reading('scheme://secret/db'), {}, { where: 'server' }],
    ['reports the binding to add', acting('//identity/app', 'scheme://secret/db'),
      { [`${c}.env.V0.value`]: 'Bind "//identity/app" to the permission reveal' }, { ...offline, others: [db] }],
    ['reports nothing about a secret that is not declared here', acting('//identity/app', 'scheme://secret/db'), {},
      offline],
    ['reports nothing about a missing secret', acting('//identity/app', 'scheme://secret/db'), {},
      { ...offline, absent: ['secret/db'] }],
    ...['reveal', 'edit', 'manage'].map((permission) => [`is content with ${permission}`,
        acting('//identity/app', 'scheme://secret/db'), {},
        { ...offline, others: [db, granting(onDb, permission)] }] as const),
    ['does not accept view', acting('//identity/app', 'scheme://secret/db'), ungranted,
      { ...offline, others: [db, granting(onDb, 'view')] }],
    ['does not accept another identity', acting('//identity/none', 'scheme://secret/db'), ungranted,
      { ...offline, others: [db, granting(onDb)] }],
    ['does not accept another secret', acting('//identity/app', 'scheme://secret/db'), ungranted,
      { ...offline, others: [db, granting({ targetLinks: ['//secret/x'] })] }],
    ['does not accept a policy on another kind', acting('//identity/app', 'scheme://secret/db'), ungranted,
      { ...offline, others: [db, granting({ ...onDb, targetKind: 'gvc' })] }],
    ['is content with all secrets', acting('//identity/app', 'scheme://secret/db'), {},
      { ...offline, others: [db, granting({ target: 'all' })] }],
    ['is content with a query, which may find it', acting('//identity/app', 'scheme://secret/db'), {},
      { ...offline, others: [db, granting({ targetQuery: {} })] }],
    ['is content with a group, which may hold it', acting('//identity/app', 'scheme://secret/db'), {},
      { ...offline, others: [db, granting(onDb, 'reveal', '//group/apps')] }],
    ['adds up what several policies grant', acting('//identity/app', 'scheme://secret/db'), {},
      { ...offline, others: [db, granting(onDb), granting(onDb, 'edit', '//user/bob')] }],
    ['only applies to containers, not to pull secrets',
      workload('standard', {}, { sidecar: { proxy: { volumes: [{ uri: 'scheme://secret/db', path: '/a' }] } } }), {},
      offline],
  ],
});

const typed = (type?: string) => ({ others: [other('secret', 's', type === undefined ? {} : { type })] });
const tracer = { credentials: '//secret/s' };
const tls = (name: string) => ({
  name: 'a.example.com',
  spec: { ports: [{ number: 443, tls: { [name]: { secretLink: '//secret/s' } } }] },
});

// biome-ignore format: a row is a case
findings('gvc', {
  S3: [
    ...['docker', 'ecr', 'gcp'].map((type) => [`takes ${type} (platform/secret.uses)`,
        { name: 'shop', spec: { pullSecretLinks: ['//secret/s'] } }, {}, typed(type)] as const),
    ['names the secret, its type and the valid types', { name: 'shop', spec: { pullSecretLinks: ['//secret/s'] } },
      { 'spec.pullSecretLinks.0': 'the secret "s" must have the type docker or ecr or gcp, not "aws"' }, typed('aws')],
    ['reports nothing about a secret without a type', { name: 'shop', spec: { pullSecretLinks: ['//secret/s'] } },
      {}, typed()],
  ],
  S5: [
    ['checks both places of a tracer', { name: 'shop', spec: { tracing: { tracer, provider: { tracer } } } },
      { 'spec.tracing.tracer.credentials': 'must have the type opaque',
        'spec.tracing.provider.tracer.credentials': 'must have the type opaque' }, typed('aws')],
    ['accepts opaque', { name: 'shop', spec: { tracing: { tracer, provider: { tracer } } } }, {}, typed('opaque')],
  ],
});

// biome-ignore format: a row is a case
findings('domain', {
  S4: [
    ['accepts a keypair of a server', tls('serverCertificate'), {}, typed('keypair')],
    ['refuses tls of a server', tls('serverCertificate'),
      { 'spec.ports.443.tls.serverCertificate.secretLink': 'must have the type keypair' }, typed('tls')],
    ['accepts a keypair of clients', tls('clientCertificate'), {}, typed('keypair')],
    ['accepts tls of clients (platform/domain.tls)', tls('clientCertificate'), {}, typed('tls')],
    ['refuses anything else of clients', tls('clientCertificate'),
      { 'spec.ports.443.tls.clientCertificate.secretLink': 'must have the type keypair or tls' }, typed('opaque')],
  ],
});
