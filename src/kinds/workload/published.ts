import { only, type Published, type TypeTable, typed } from '../common/words.ts';
import { containerTypes } from './containerWords.ts';

const scaled = ['standard', 'stateful'] as const;
const serving = ['serverless', 'standard', 'stateful', 'vm'] as const;

/** Firewall and load balancer of workloads. */
const networkTypes: TypeTable = {
  Firewall: {
    about: 'Who may call a workload and what it may call. Everything is closed by default.',
    section: 'workload.firewall',
    fields: {
      external: typed('ExternalFirewall', 'Traffic from and to the internet.'),
      internal: typed('InternalFirewall', 'Traffic from other workloads of the org.'),
    },
  },
  ExternalFirewall: {
    about: 'Traffic of a workload from and to the internet. Blocked addresses win over allowed ones.',
    section: 'workload.firewall',
    fields: {
      inboundAllowCIDR: 'Addresses or CIDR blocks that may call; `0.0.0.0/0` is everyone.',
      inboundBlockedCIDR: 'Addresses or CIDR blocks that cannot call.',
      outboundAllowHostname: 'Host names that the workload may call, in lower case; `*` only as the first label.',
      outboundAllowCIDR: 'Addresses or CIDR blocks that the workload may call.',
      outboundBlockedCIDR: 'Addresses or CIDR blocks that the workload cannot call.',
      outboundAllowPort: typed('OutboundPort', 'Ports on which the allowed host names may be called.'),
      http: typed('HttpFirewall', 'Rules about HTTP requests.'),
    },
  },
  OutboundPort: {
    about: 'A port on which a workload may call others.',
    section: 'workload.firewall',
    fields: { protocol: 'Protocol of the port.', number: 'Port number, 80 to 65000, not reserved by the platform.' },
  },
  HttpFirewall: {
    about: 'Rules about HTTP requests to a workload.',
    section: 'workload.firewall',
    fields: { inboundHeaderFilter: typed('HeaderFilter', 'Lets requests in, or refuses them, by their headers.') },
  },
  HeaderFilter: {
    about: 'A filter by one header, with exactly one of `allowedValues` and `blockedValues`.',
    section: 'workload.firewall',
    fields: {
      key: 'Name of the header; compared without case.',
      allowedValues: 'Regular expressions: only requests whose header matches one of them are let in.',
      blockedValues: 'Regular expressions: requests whose header matches one of them are refused.',
    },
  },
  InternalFirewall: {
    about: 'Traffic of a workload from other workloads of the org.',
    section: 'workload.firewall',
    fields: {
      inboundAllowType:
        'Who may call: nobody, workloads of the same GVC, of the same org, or those of `inboundAllowWorkload`.',
      inboundAllowWorkload:
        'Workloads and agents that may call, with the types `workload-list` and `same-gvc`. `scheme://internal/keda` ' +
        'is the scaler of the platform.',
    },
  },
  WorkloadLoadBalancer: {
    about: 'How requests reach the replicas of a workload.',
    section: 'workload.load-balancer',
    fields: {
      replicaDirect: only(['stateful'], 'Gives each replica an address of its own.'),
      direct: typed('DirectLoadBalancer', 'A load balancer of its own, for ports that are not served over HTTP.'),
      geoLocation: typed('GeoLocation', 'Adds headers that say where a request comes from.'),
    },
  },
  DirectLoadBalancer: {
    about: 'A load balancer for one workload.',
    section: 'workload.load-balancer',
    fields: {
      enabled: 'Switches the load balancer on.',
      ipSet: 'IP set with the reserved addresses of the load balancer; it links back to the workload.',
      ports: typed('DirectPort', 'Ports that are open, each by external port and protocol.'),
    },
  },
  DirectPort: {
    about: 'A port of the load balancer of a workload.',
    section: 'workload.load-balancer',
    fields: {
      externalPort: 'Port on the load balancer.',
      protocol: 'Transport protocol.',
      scheme: 'Protocol that is shown in the address of the endpoint.',
      containerPort: 'Port of the container that receives the traffic.',
    },
  },
  GeoLocation: {
    about: 'Headers that say where a request comes from.',
    section: 'workload.load-balancer',
    fields: {
      enabled: 'Adds the headers. At least one has to be named.',
      headers: typed('GeoLocationHeaders', 'Names of the headers; all differ.'),
    },
  },
  GeoLocationHeaders: {
    about: 'Names of the headers that say where a request comes from.',
    section: 'workload.load-balancer',
    fields: {
      asn: 'Name of the header for the number of the caller’s network (ASN).',
      city: 'Name of the header for the city.',
      country: 'Name of the header for the country.',
      region: 'Name of the header for the region.',
    },
  },
};

export const published: Published = {
  types: {
    ...containerTypes,
    ...networkTypes,
    WorkloadFields: {
      about: 'A set of containers of one type, run in the locations of its GVC.',
      section: 'workload.types',
      fields: {
        spec: typed('WorkloadSpec', 'Settings of the workload.'),
        health: 'Whether its replicas are ready, as the platform reports it.',
      },
    },
    WorkloadSpec: {
      about: 'Settings of a workload.',
      section: 'workload.types',
      fields: {
        type:
          'How it runs: `serverless` scales by requests and down to zero, `standard` rolls out without downtime, ' +
          '`stateful` has volumes for each replica, `cron` runs on a schedule and ends, `vm` runs virtual machines ' +
          '(an extension: the specification does not have it). It cannot be changed.',
        identityLink: {
          words: 'Identity that the workload acts as. Needed to read secrets and to reach cloud accounts and agents.',
          section: 'workload.references',
        },
        containers: typed('Container', 'One to eight containers, which run side by side in each replica.', {
          section: 'workload.containers',
        }),
        firewallConfig: typed(
          'Firewall',
          'Who may call the workload and what it may call. Everything is closed when omitted.',
          { section: 'workload.firewall' },
        ),
        defaultOptions: typed('WorkloadOptions', 'Options for all locations without options of their own.', {
          section: 'workload.options',
        }),
        localOptions: {
          words: 'Options for single locations. They replace `defaultOptions` there as a whole.',
          type: 'LocalWorkloadOptions',
          only: serving,
          section: 'workload.options',
        },
        job: only(['cron'], 'When and how the workload runs.', 'Job'),
        sidecar: typed('Sidecar', 'Settings of the proxy beside each replica.', { section: 'proxy.members' }),
        loadBalancer: typed('WorkloadLoadBalancer', 'How requests reach the replicas.', {
          section: 'workload.load-balancer',
        }),
        supportDynamicTags:
          'Checks again and again whether a tag of an image points to another image, and rolls it out.',
        rolloutOptions: typed('RolloutOptions', 'How a new version replaces the old one.', {
          section: 'workload.rollout',
        }),
        securityOptions: typed('SecurityOptions', 'User and group that the processes run as.', {
          section: 'workload.security',
        }),
        requestRetryPolicy: typed('RequestRetryPolicy', 'When the proxy repeats a failed request to the workload.', {
          section: 'workload.security',
        }),
        extras: typed('WorkloadExtras', 'Scheduling constraints in self-hosted locations.', {
          section: 'workload.security',
        }),
        vm: only(['vm'], 'Definition of the virtual machine, passed through as it is.'),
      },
    },
    Job: {
      about: 'When and how a cron workload runs.',
      section: 'workload.job',
      fields: {
        schedule: 'Cron expression of five fields in UTC: minute, hour, day of month, month, day of week.',
        concurrencyPolicy:
          'What happens when a run is due while the last one is active: `Forbid` skips it, `Replace` stops the last ' +
          'one, `Allow` runs both.',
        historyLimit: 'Number of finished runs that are remembered, 1 to 10.',
        restartPolicy: 'Whether a failed run is restarted.',
        activeDeadlineSeconds: 'Seconds after which a run is stopped. No deadline, when omitted.',
      },
    },
    RolloutOptions: {
      about: 'How a new version of a workload replaces the old one.',
      section: 'workload.rollout',
      fields: {
        minReadySeconds: 'Seconds that a new replica has to be ready before it counts as available.',
        maxUnavailableReplicas: only(
          ['serverless', 'standard', 'cron', 'vm'],
          'Replicas that may be missing during a rollout: a number, or a percentage such as `25%`.',
        ),
        maxSurgeReplicas:
          'Replicas that may run in addition during a rollout: a number, or a percentage such as `25%`.',
        scalingPolicy: 'Stateful: `OrderedReady` starts one replica after the other, `Parallel` all at once.',
        terminationGracePeriodSeconds:
          'Seconds that a replica has to stop by itself; at most 900, or 3600 with the tag `scheme/relaxGracePeriodMax`.',
      },
    },
    SecurityOptions: {
      about: 'User and group of the processes of a workload.',
      section: 'workload.security',
      fields: {
        filesystemGroupId: 'Group id that owns the files of mounted volumes.',
        runAsUser: 'User id of the processes. 1337 is the proxy’s own: its traffic bypasses the proxy.',
      },
    },
    RequestRetryPolicy: {
      about: 'When the proxy repeats a failed request.',
      section: 'workload.security',
      fields: {
        attempts: 'Number of repetitions.',
        retryOn: 'Failures after which a request is repeated, by the names that the proxy has for them.',
      },
    },
    WorkloadExtras: {
      about: 'Scheduling constraints in self-hosted locations. Also accepted as JSON text.',
      section: 'workload.security',
      fields: {
        affinity: 'Rules about the nodes on which replicas run, as the cluster defines them.',
        tolerations: 'Taints of nodes that replicas tolerate, as the cluster defines them.',
        topologySpreadConstraints: 'How replicas spread over the nodes, as the cluster defines it.',
      },
    },
    WorkloadOptions: {
      about: 'Scaling, timeout and placement options of a workload.',
      section: 'workload.options',
      fields: {
        autoscaling: typed('Autoscaling', 'How the number of replicas follows the load. No effect on cron.', {
          section: 'workload.autoscaling',
        }),
        timeoutSeconds:
          'Seconds after which a request without an answer fails. A serverless workload takes at most 600. No effect ' +
          'on cron.',
        capacityAI: {
          words:
            'Lets the platform adjust CPU and memory to the use. Not with the metric `cpu`, several metrics or GPUs. ' +
            'True unless one of these is set.',
          only: ['serverless', 'standard', 'cron', 'vm'],
          section: 'workload.capacity-ai',
        },
        capacityAIUpdateMinutes: {
          words: 'Minutes between two adjustments by Capacity AI.',
          only: ['serverless', 'standard', 'cron', 'vm'],
          section: 'workload.capacity-ai',
        },
        spot: 'Runs on capacity that the cloud provider may reclaim at any time.',
        debug: 'Debug mode, switched by operators: reported when it differs, never reverted. No effect on cron.',
        suspend: 'Stops all replicas. Switched by operators: reported when it differs, never reverted.',
        multiZone: typed('Toggle', 'Spreads the replicas over the zones of a location.'),
      },
    },
    LocalWorkloadOptions: {
      about: 'Options of a workload for one location. They replace the default options there as a whole.',
      section: 'workload.options',
      fields: { location: 'Location of the GVC: a link or a name.' },
    },
    Toggle: {
      about: 'A setting that is on or off.',
      section: 'workload.options',
      fields: { enabled: 'Switches it on.' },
    },
    Autoscaling: {
      about: 'How the number of replicas follows the load.',
      section: 'workload.autoscaling',
      fields: {
        metric:
          'What is measured. `concurrency` is for serverless; `latency` and `keda` are for standard and stateful. ' +
          'Chosen by the platform when omitted.',
        multi: only(scaled, 'Several metrics at once, in place of `metric` and `target`.', 'MetricTarget'),
        metricPercentile: 'Metric `latency`: the percentile that is compared with the target.',
        target:
          'Value of the metric that the platform aims at for each replica: requests, requests a second, milliseconds, ' +
          'or percent for `cpu` and `memory`.',
        minScale: 'Fewest replicas. 0 is for serverless, and for stateful with `keda`.',
        maxScale: 'Most replicas.',
        scaleToZeroDelay: 'Seconds without requests after which the last replica stops. Only where `minScale` is 0.',
        maxConcurrency: 'Most requests that a replica handles at once; 0 means no limit. Only serverless.',
        keda: only(scaled, 'Scaling by external events. The GVC has to enable it.', 'KedaScaling'),
      },
    },
    MetricTarget: {
      about: 'One of several metrics of autoscaling.',
      section: 'workload.autoscaling',
      fields: {
        metric: 'What is measured: `cpu`, `memory` or `rps`, each once; an installation may take an object.',
        target: 'Value for each replica; percent for `cpu` and `memory`.',
      },
    },
    KedaScaling: {
      about: 'Scaling by external events.',
      section: 'workload.autoscaling',
      fields: {
        triggers: typed('KedaTrigger', 'Sources of events.'),
        advanced: typed('KedaAdvanced', 'Combines several triggers.'),
        fallback: typed('KedaFallback', 'Number of replicas while a trigger cannot be read.'),
        pollingInterval: 'Seconds between two reads of the triggers.',
        cooldownPeriod: 'Seconds after the last event before the workload scales down to zero.',
        initialCooldownPeriod: 'Seconds after the start of the workload before it may scale down to zero.',
      },
    },
    KedaTrigger: {
      about: 'A source of events.',
      section: 'workload.autoscaling',
      fields: {
        type: 'Type of the trigger, such as `cron` or `cpu`.',
        metadata: 'Settings of the trigger by name; which ones depends on its type. Compared as text.',
        name: 'Name by which a formula refers to the trigger; unique.',
        useCachedMetrics: 'Uses the value of the last poll instead of asking on every request.',
        metricType: 'How the value is compared: average for each replica, total, or percentage of the resource.',
        authenticationRef: typed('KedaAuthenticationRef', 'Credentials of the trigger.'),
      },
    },
    KedaAuthenticationRef: {
      about: 'Credentials of a trigger.',
      section: 'workload.autoscaling',
      fields: { name: 'Secret with the credentials, by name or link. The GVC lists it in `keda.secrets`.' },
    },
    KedaAdvanced: {
      about: 'Further settings of scaling by events.',
      section: 'workload.autoscaling',
      fields: { scalingModifiers: typed('KedaScalingModifiers', 'Combines several triggers into one value.') },
    },
    KedaScalingModifiers: {
      about: 'Combines several triggers into one value.',
      section: 'workload.autoscaling',
      fields: {
        target: 'Target for the combined value, as text.',
        activationTarget: 'Combined value above which the workload leaves zero replicas, as text.',
        metricType: 'How the combined value is compared: average for each replica, total, or percentage.',
        formula: 'Expression over the names of the triggers.',
      },
    },
    KedaFallback: {
      about:
        'Number of replicas while a trigger cannot be read. Needs an `AverageValue` trigger other than cpu and memory.',
      section: 'workload.autoscaling',
      fields: {
        failureThreshold: 'Failed reads in a row after which the fallback applies.',
        replicas: 'Number of replicas of the fallback.',
        behavior: 'Whether the number is exact (`static`) or compared with the current number of replicas.',
      },
    },
  },
  example: {
    name: 'web',
    description: 'The web server of the shop',
    tags: { team: 'shop' },
    spec: {
      type: 'standard',
      containers: [
        {
          name: 'main',
          image: 'nginx:1.29',
          cpu: '100m',
          memory: '128Mi',
          ports: [{ number: 8080, protocol: 'http' }],
          env: [{ name: 'GREETING', value: 'hello' }],
        },
      ],
      defaultOptions: { autoscaling: { metric: 'cpu', target: 80, minScale: 1, maxScale: 3 } },
      firewallConfig: { external: { inboundAllowCIDR: ['0.0.0.0/0'] } },
    },
  },
};
