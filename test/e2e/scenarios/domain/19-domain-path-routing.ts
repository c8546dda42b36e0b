import { expect } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { at, type Scenario } from '../../harness/scenario.ts';

const pem = '"-----BEGIN PRIVATE KEY-----\\nMIIBVQIBADANBgkqhkiG9w0BAQEFAASCAT8=\\n-----END PRIVATE KEY-----\\n"';

const services = `
kind: gvc
name: site
spec: {staticPlacement: {locationLinks: [//location/aws-us-west-2]}}
---
kind: workload
gvc: site
name: web
spec: {type: serverless, containers: [{name: main, image: "registry.example.com/web:1", ports: [{number: 8080}]}]}
---
kind: workload
gvc: site
name: api
spec: {type: standard, containers: [{name: main, image: "registry.example.com/api:1", ports: [{number: 9090}]}]}
---
kind: secret
name: client-ca
type: keypair
data: {secretKey: ${pem}}
---
kind: secret
name: server-cert
type: keypair
data: {secretKey: ${pem}}
---
`.replace('9090', '9000');

const domain = (routes: string) => `${services}
kind: domain
name: www.shop-example.com
spec:
  dnsMode: cname
  ports:
    - number: 80
      protocol: http
      routes: [{prefix: /, workloadLink: //gvc/site/workload/web}]
    - number: 443
      protocol: http2
      tls:
        minProtocolVersion: TLSV1_2
        cipherSuites: [ECDHE-RSA-AES256-GCM-SHA384]
        clientCertificate: {secretLink: //secret/client-ca}
        serverCertificate: {secretLink: //secret/server-cert}
      cors:
        allowOrigins: [{exact: "https://shop.example.com"}, {regex: "https://.*[.]example[.]com"}]
        allowMethods: [GET, POST]
        allowHeaders: [X-Token, content-type]
        maxAge: 10m
        allowCredentials: true
      routes:
${routes}`;

const web = '/org/local/gvc/site/workload/web';
const api = '/org/local/gvc/site/workload/api';

const root = '        - {prefix: /, workloadLink: //gvc/site/workload/web}\n';
const v1 =
  '        - {prefix: /api/v1, replacePrefix: /, workloadLink: //gvc/site/workload/api, port: 9000, headers: {request: {set: {x-from: edge}}}}\n';
const v2 = '        - {prefix: /api, workloadLink: //gvc/site/workload/api}\n';
const regex = '        - {regex: "/items/[0-9]+", workloadLink: //gvc/site/workload/api}\n';

const rootRoute = { prefix: '/', workloadLink: web };
const apiV1Route = {
  prefix: '/api/v1',
  replacePrefix: '/',
  workloadLink: api,
  port: 9000,
  headers: { request: { set: { 'x-from': 'edge' } } },
};
const apiRoute = { prefix: '/api', workloadLink: api };
const regexRoute = { regex: '/items/[0-9]+', workloadLink: api };

const live = (routes: readonly JsonObject[]): JsonObject => ({
  name: 'www.shop-example.com',
  description: 'www.shop-example.com',
  tags: {},
  spec: {
    dnsMode: 'cname',
    acceptAllHosts: false,
    acceptAllSubdomains: false,
    ports: [
      { number: 80, protocol: 'http', routes: [rootRoute] },
      {
        number: 443,
        protocol: 'http2',
        tls: {
          minProtocolVersion: 'TLSV1_2',
          cipherSuites: ['ECDHE-RSA-AES256-GCM-SHA384'],
          clientCertificate: { secretLink: '/org/local/secret/client-ca' },
          serverCertificate: { secretLink: '/org/local/secret/server-cert' },
        },
        cors: {
          allowOrigins: [{ exact: 'https://shop.example.com' }, { regex: 'https://.*[.]example[.]com' }],
          allowMethods: ['GET', 'POST'],
          allowHeaders: ['x-token', 'content-type'],
          maxAge: '10m',
          allowCredentials: true,
        },
        routes,
      },
    ],
  },
});

const path = '/org/local/domain/www.shop-example.com';

export const scenario: Scenario = {
  number: 19,
  title: 'domain path routing',
  steps: [
    {
      it: 'sorts prefix routes, longest first, and lower-cases header names (platform/concepts.rewritten)',
      manifests: domain(root + v1 + v2),
      actions: {
        'domain/www.shop-example.com': 'create',
        'gvc/site': 'create',
        'secret/client-ca': 'create',
        'secret/server-cert': 'create',
        'workload/site/api': 'create',
        'workload/site/web': 'create',
      },
      order: ['POST /org/local/gvc', 'POST /org/local/gvc/site/workload', 'POST /org/local/domain'],
      live: { [path]: live([apiV1Route, apiRoute, rootRoute]) },
      after: async (platform) => {
        const { body } = await platform.call('GET', path);
        expect(at(body, 'status', 'status')).not.toBe('warning');
      },
    },
    { it: 'routes in another order are no change', manifests: domain(v2 + root + v1), actions: {} },
    {
      it: 'a route is dropped by its prefix',
      manifests: domain(root + v1),
      actions: { 'domain/www.shop-example.com': 'patch' },
      patches: {
        'domain/www.shop-example.com': { spec: { '$patch/ports': [{ number: 443, '$drop/routes': ['/api'] }] } },
      },
      live: { [path]: live([apiV1Route, rootRoute]) },
    },
    {
      it: 'with one regex route the written order is kept',
      manifests: domain(root + regex + v1),
      actions: { 'domain/www.shop-example.com': 'patch' },
      live: { [path]: live([rootRoute, regexRoute, apiV1Route]) },
    },
    {
      it: 'with one regex route, another order is a change',
      manifests: domain(regex + root + v1),
      actions: { 'domain/www.shop-example.com': 'patch' },
      live: { [path]: live([regexRoute, rootRoute, apiV1Route]) },
    },
  ],
};
