import { type Published, typed } from '../common/words.ts';

export const published: Published = {
  types: {
    DomainFields: {
      about: 'A host name and where its requests go.',
      section: 'domain.routing',
      fields: {
        name: {
          words: 'Host name in lower case, with its top-level domain. It cannot be changed.',
          section: 'concepts.names',
        },
        spec: typed('DomainSpec', 'Settings of the domain.'),
      },
    },
    DomainSpec: {
      about:
        'Settings of a domain. It routes in one way: by `gvcLink`, by `workloadLink`, or by the routes of its ports.',
      section: 'domain.routing',
      fields: {
        dnsMode: {
          words:
            'How DNS leads to the platform: `cname` for one name, `ns` delegates the domain. `cname`, when omitted; ' +
            '`ns` beside a `gvcLink`.',
          section: 'domain.names',
        },
        gvcLink: 'Gives every workload of this GVC a host, `{workload}.{domain}`. Excludes `workloadLink` and routes.',
        workloadLink:
          'Gives every replica of this stateful workload a host. Each port then has exactly one route, to the same ' +
          'workload.',
        certChallengeType: {
          words:
            'How the platform proves to the certificate authority that the domain is yours. Follows from `dnsMode`, ' +
            'when omitted.',
          section: 'domain.tls',
        },
        acceptAllHosts: 'Accepts requests for any host name. Needs a GVC with a dedicated load balancer.',
        acceptAllSubdomains: 'Accepts requests for any sub-domain. Needs a GVC with a dedicated load balancer.',
        ports: typed('DomainPort', 'Ports that the domain serves, one to ten. Port 443 with TLS, when omitted.'),
      },
    },
    DomainPort: {
      about: 'A port that a domain serves.',
      section: 'domain.routing',
      fields: {
        number: 'Port number. Others than 80 and 443 need a dedicated load balancer.',
        protocol: 'Protocol that clients speak. `tcp` needs a dedicated load balancer.',
        routes: typed(
          'Route',
          'Where requests go. Tried longest prefix first; in this order, as soon as one route has a regular expression.',
        ),
        cors: typed('Cors', 'Which pages of other origins may send requests.', { section: 'domain.tls' }),
        tls: typed('DomainTls', 'TLS of the port. Always there on port 443 with `http` and `http2`.', {
          section: 'domain.tls',
        }),
      },
    },
    Route: {
      about: 'Where the requests with one path go.',
      section: 'domain.routing',
      fields: {
        prefix: 'Beginning of the path. `/`, when neither `prefix` nor `regex` is set.',
        regex: 'Regular expression (RE2) for the path, in place of `prefix`.',
        replacePrefix: 'Text that replaces the prefix before the request is passed on. Not beside `regex`.',
        workloadLink: 'Workload that receives the requests. All routes of a domain lead to one GVC.',
        port: 'Port of the workload. Its first port, when omitted.',
        hostPrefix: 'Beginning of the host name. Needs `acceptAllHosts` or `acceptAllSubdomains`.',
        hostRegex: 'Regular expression (RE2) for the host name, in place of `hostPrefix`.',
        headers: typed('RouteHeaders', 'Headers that are changed.'),
        replica: 'Index of the replica that receives the requests; only of a stateful workload.',
        mirror: typed('Mirror', 'Workloads that receive a copy of the requests; their answers are dropped.'),
        canaries: typed('Canary', 'Workloads that receive a share of the requests; at most 100 percent together.'),
      },
    },
    RouteHeaders: {
      about: 'Headers that a route changes.',
      section: 'domain.routing',
      fields: { request: typed('RequestHeaders', 'Headers of requests.') },
    },
    RequestHeaders: {
      about: 'Request headers that a route changes.',
      section: 'domain.routing',
      fields: { set: 'Headers to set, value by name.' },
    },
    Mirror: {
      about: 'A workload that receives a copy of the requests.',
      section: 'domain.routing',
      fields: {
        workloadLink: 'Workload that receives the copy.',
        port: 'Port of the workload. Its first port, when omitted.',
        percent: 'Percentage of the requests that is copied.',
      },
    },
    Canary: {
      about: 'A workload that receives a share of the requests.',
      section: 'domain.routing',
      fields: {
        workloadLink: 'Workload that receives the share.',
        port: 'Port of the workload. Its first port, when omitted.',
        weight: 'Percentage of the requests.',
      },
    },
    Cors: {
      about: 'Which pages of other origins may send requests.',
      section: 'domain.tls',
      fields: {
        allowOrigins: typed('CorsOrigin', 'Origins whose pages may send requests.'),
        allowMethods: 'HTTP methods that they may use.',
        allowHeaders: 'Request headers that they may send.',
        exposeHeaders: 'Answer headers that they may read.',
        maxAge: 'How long browsers may cache these permissions: a number followed by `h`, `m` or `s`.',
        allowCredentials: 'Lets browsers send cookies and other credentials along.',
      },
    },
    CorsOrigin: {
      about: 'An origin whose pages may send requests: exactly one of `exact` and `regex`.',
      section: 'domain.tls',
      fields: {
        exact: 'The origin, such as `https://shop.example.com`.',
        regex: 'Regular expression (RE2) for the origin.',
      },
    },
    DomainTls: {
      about: 'TLS of a port.',
      section: 'domain.tls',
      fields: {
        minProtocolVersion: 'Oldest version of TLS that clients may use.',
        cipherSuites: 'Cipher suites that are offered. The eight suites of the platform, when omitted.',
        clientCertificate: typed('Certificate', 'Demands a certificate from clients, and checks it by this secret.'),
        serverCertificate: typed('Certificate', 'Certificate of the domain, in place of one from the platform.'),
      },
    },
    Certificate: {
      about: 'A certificate in a secret.',
      section: 'domain.tls',
      fields: { secretLink: 'Secret of the type `keypair` or `tls` with the certificate.' },
    },
  },
  example: {
    name: 'shop.example.com',
    description: 'The public name of the shop',
    spec: {
      dnsMode: 'cname',
      ports: [{ number: 443, protocol: 'http2', routes: [{ prefix: '/', workloadLink: '//gvc/shop/workload/web' }] }],
    },
  },
};
