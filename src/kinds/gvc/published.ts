import { type Published, typed } from '../common/words.ts';

export const published: Published = {
  types: {
    GvcFields: {
      about: 'A global virtual cloud: locations and settings that its workloads share.',
      section: 'gvc.placement',
      fields: {
        spec: typed('GvcSpec', 'Settings of the GVC.'),
        alias: 'Part of the host names of its workloads, chosen by the platform.',
      },
    },
    GvcSpec: {
      about: 'Settings of a GVC.',
      section: 'gvc.placement',
      fields: {
        staticPlacement: typed('StaticPlacement', 'Locations in which its workloads run. Without one, nothing runs.'),
        pullSecretLinks: {
          words: 'Secrets with which images are pulled; of the type `docker`, `ecr` or `gcp`.',
          section: 'secret.uses',
        },
        domain: { words: 'host name of the GVC. Create a domain instead.', deprecated: true },
        endpointNamingFormat: 'How host names of workloads are formed. Chosen by the platform when omitted.',
        aliasWorkloadLink: 'Workload of this GVC that answers at the alias of the GVC.',
        tracing: typed('Tracing', 'Traces of requests: how many, and where they are sent.', { section: 'gvc.tracing' }),
        sidecar: typed('Sidecar', 'Settings of the proxy beside each replica of its workloads.', {
          section: 'proxy.members',
        }),
        env: typed('EnvVariable', 'Environment variables for containers with `inheritEnv`.', { section: 'gvc.env' }),
        loadBalancer: typed('GvcLoadBalancer', 'Entrance for requests to its workloads.', {
          section: 'gvc.load-balancer',
        }),
        keda: typed('GvcKeda', 'Allows its workloads to scale by external events.', { section: 'gvc.keda' }),
      },
    },
    StaticPlacement: {
      about: 'Locations of a GVC: those that are listed, and those that a query finds.',
      section: 'gvc.placement',
      fields: {
        locationLinks: 'Locations, each once.',
        locationQuery: typed('Query', 'Locations that the query finds are added.'),
        locationOptions: typed('LocationOptions', 'How requests choose among the locations.'),
      },
    },
    LocationOptions: {
      about: 'How requests choose one location of a GVC.',
      section: 'gvc.placement',
      fields: {
        locationLink: 'Location that the options are for; it is one of the GVC.',
        routingTier: 'Order of preference: lower tiers are used first.',
        latencyOffsetMs: 'Milliseconds that are added to the measured latency; may be negative.',
        latencyToleranceMs: 'Differences in latency below this many milliseconds do not count.',
      },
    },
    GvcLoadBalancer: {
      about: 'Entrance for requests to the workloads of a GVC.',
      section: 'gvc.load-balancer',
      fields: {
        dedicated:
          'Gives the GVC a load balancer of its own. Redirects and several features of domains need it; it costs extra.',
        multiZone: typed('Toggle', 'Spreads the load balancer over the zones of a location.'),
        trustedProxies: 'Number of proxies in front of the load balancer whose forwarding headers are trusted.',
        redirect: typed('Redirect', 'Sends clients elsewhere instead of answering with an error. Needs `dedicated`.'),
        ipSet: 'IP set with the reserved addresses of the load balancer; it links back to the GVC.',
      },
    },
    Redirect: {
      about: 'Where clients are sent instead of an error.',
      section: 'gvc.load-balancer',
      fields: { class: typed('RedirectClass', 'Addresses by class of the error.') },
    },
    RedirectClass: {
      about: 'Addresses by class of the error.',
      section: 'gvc.load-balancer',
      fields: {
        status5xx: 'URI for answers with a status of 500 or higher.',
        status401: 'URI for answers with the status 401; may hold format tokens of the proxy.',
      },
    },
    GvcKeda: {
      about: 'Scaling by external events in a GVC.',
      section: 'gvc.keda',
      fields: {
        enabled: 'Allows the workloads of the GVC to scale by external events.',
        identityLink: 'Identity of this GVC that the triggers act as.',
        secrets: 'Secrets that triggers may name in `authenticationRef`. They need `enabled`.',
      },
    },
  },
  example: {
    name: 'shop',
    description: 'Everything of the web shop',
    tags: { team: 'shop' },
    spec: {
      staticPlacement: { locationLinks: ['//location/aws-eu-central-1', '//location/aws-us-west-2'] },
      env: [{ name: 'LOG_LEVEL', value: 'info' }],
    },
  },
};
