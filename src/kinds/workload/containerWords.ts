import { only, type TypeTable, typed } from '../common/words.ts';

const serving = ['serverless', 'standard', 'stateful', 'vm'] as const;

/** Containers of workloads and the types inside them. */
export const containerTypes: TypeTable = {
  Container: {
    about: 'A container of a workload.',
    section: 'workload.containers',
    fields: {
      name: 'Name of the container, unique in the workload. Names of the platform’s own containers are refused.',
      image: {
        words:
          'Image to run: `name:tag`, `host/path:tag`, `name@digest`, or `//image/NAME:TAG` from the registry of the ' +
          'org. No tag means `latest`. Every container needs one, except those of a `vm`.',
        section: 'workload.images',
      },
      workingDir: 'Absolute path of the directory in which the process starts. That of the image, when omitted.',
      command: 'Replaces the entry point of the image. One string, not a list.',
      args: 'Arguments of the entry point, in this order.',
      port: {
        words: 'one HTTP port. Use `ports` instead; a container has only one of the two.',
        deprecated: true,
        only: serving,
        section: 'workload.ports',
      },
      ports: {
        words:
          'Ports that the container listens on, each number once in the workload. The first one is the default of ' +
          'probes and routes. A serverless workload has exactly one, in one container, for HTTP.',
        type: 'Port',
        only: serving,
        section: 'workload.ports',
      },
      cpu: {
        words: 'CPU limit: cores (`0.5`) or millicores (`500m`); at least 25m.',
        section: 'workload.resources',
      },
      memory: {
        words: 'Memory limit in bytes, with a unit such as `Mi` or `Gi`; at least 32Mi and at most 8Mi per millicore.',
        section: 'workload.resources',
      },
      minCpu: {
        words:
          'Lower limit of CPU when resources follow the load; at least 25m and at most `cpu`. Stateful: within 4000m ' +
          'of `cpu` and at least a quarter of it.',
        only: serving,
        section: 'workload.resources',
      },
      minMemory: {
        words:
          'Lower limit of memory when resources follow the load; at least 32Mi and at most `memory`. Stateful: ' +
          'within 4096Mi of `memory` and at least a quarter of it.',
        only: serving,
        section: 'workload.resources',
      },
      env: { words: 'Environment variables of the container.', type: 'EnvVariable', section: 'workload.env' },
      inheritEnv: 'Adds the variables of the GVC. A variable of the container wins over one of the same name.',
      metrics: typed('ContainerMetrics', 'Endpoint from which the platform collects metrics.'),
      readinessProbe: {
        words:
          'Decides whether a replica receives requests. A serverless workload without one is checked by TCP on its ' +
          'port.',
        type: 'Probe',
        only: serving,
        section: 'workload.probes',
      },
      livenessProbe: {
        words: 'Decides whether a container is restarted.',
        type: 'Probe',
        only: serving,
        section: 'workload.probes',
      },
      gpu: { words: 'GPUs of the container: `nvidia` or `custom`.', type: 'Gpu', section: 'workload.resources' },
      lifecycle: typed('ContainerLifecycle', 'Commands that run when the container starts and before it stops.'),
      volumes: {
        words: 'File systems of the container. Paths differ, and none lies inside of another one.',
        type: 'ContainerVolume',
        section: 'workload.volumes',
      },
    },
  },
  Port: {
    about: 'A port that a container listens on.',
    section: 'workload.ports',
    fields: {
      number: 'Port number from 80; not one of those that the platform reserves.',
      protocol: 'Protocol spoken on the port. A serverless workload takes `http`, `http2` or `grpc`.',
    },
  },
  ContainerMetrics: {
    about: 'Endpoint of a container from which the platform collects metrics.',
    section: 'workload.containers',
    fields: {
      port: 'Port on which the container serves its metrics.',
      path: 'Path of the metrics on that port.',
      dropMetrics: 'Regular expressions; metrics whose name matches one of them are dropped.',
    },
  },
  Probe: {
    about: 'A health check of a container, with exactly one handler: `exec`, `grpc`, `tcpSocket` or `httpGet`.',
    section: 'workload.probes',
    fields: {
      exec: typed('ExecAction', 'Handler: runs a command in the container; exit code 0 is success.'),
      grpc: typed('GrpcAction', 'Handler: calls the gRPC health service of the container.'),
      tcpSocket: typed('TcpSocketAction', 'Handler: opens a TCP connection to the container.'),
      httpGet: typed('HttpGetAction', 'Handler: sends an HTTP GET request to the container.'),
      initialDelaySeconds:
        'Seconds between the start of the container and the first check. A liveness probe waits 60 by default, a ' +
        'readiness probe 10.',
      periodSeconds: 'Seconds between two checks.',
      timeoutSeconds: 'Seconds after which a check without an answer counts as failed.',
      successThreshold: 'Successful checks in a row after which the container counts as healthy.',
      failureThreshold: 'Failed checks in a row after which the container counts as unhealthy.',
    },
  },
  ExecAction: {
    about: 'A command that runs in the container.',
    section: 'workload.probes',
    fields: { command: 'Program and its arguments, without a shell.' },
  },
  GrpcAction: {
    about: 'A call of the gRPC health service.',
    section: 'workload.probes',
    fields: { port: 'Port of the gRPC server. The first port of the container, when omitted.' },
  },
  TcpSocketAction: {
    about: 'A TCP connection.',
    section: 'workload.probes',
    fields: { port: 'Port to connect to. The first port of the container, when omitted.' },
  },
  HttpGetAction: {
    about: 'An HTTP GET request.',
    section: 'workload.probes',
    fields: {
      path: 'Path of the request.',
      port: 'Port of the request. The first port of the container, when omitted.',
      httpHeaders: typed('HttpHeader', 'Headers of the request.'),
      scheme: 'Protocol of the request.',
    },
  },
  HttpHeader: {
    about: 'A header of a request.',
    section: 'workload.probes',
    fields: { name: 'Name of the header.', value: 'Value of the header.' },
  },
  Gpu: {
    about: 'GPUs of a container.',
    section: 'workload.resources',
    fields: {
      nvidia: typed('NvidiaGpu', 'GPUs of a model that the platform offers.'),
      custom: typed('CustomGpu', 'GPUs of a self-hosted location, by the name of their resource.'),
    },
  },
  NvidiaGpu: {
    about: 'GPUs of a model that the platform offers.',
    section: 'workload.resources',
    fields: {
      model:
        'GPU model, such as `t4`. For each `t4` a container has 2000m to 8000m CPU and 7Gi to 31Gi memory, for ' +
        '`a10g` 6000m CPU and 8Gi to 62Gi.',
      quantity: 'Number of GPUs for each replica. Only one `a10g` is possible.',
    },
  },
  CustomGpu: {
    about: 'GPUs of a self-hosted location.',
    section: 'workload.resources',
    fields: {
      resource: 'Name of the GPU resource in the cluster, such as `vendor.example/gpu`.',
      runtimeClass: 'Runtime class of the cluster that the container needs for these GPUs.',
      quantity: 'Number of GPUs for each replica.',
    },
  },
  ContainerLifecycle: {
    about: 'Commands at the start and the end of a container.',
    section: 'workload.containers',
    fields: {
      postStart: typed('LifecycleHook', 'Runs right after the container has started.'),
      preStop: typed('LifecycleHook', 'Runs before the container is stopped, within the grace period of the workload.'),
    },
  },
  LifecycleHook: {
    about: 'What runs at the start or the end of a container.',
    section: 'workload.containers',
    fields: { exec: typed('ExecAction', 'Command to run in the container.') },
  },
  ContainerVolume: {
    about: 'A file system that is mounted into a container.',
    section: 'workload.volumes',
    fields: {
      uri:
        'What is mounted: `scheme://volumeset/NAME` of the same GVC, `scheme://secret/NAME[.KEY]`, an object store ' +
        '(`s3://`, `gs://`, `azureblob://`, `azurefs://`), or scratch space (`scratch://NAME`).',
      path:
        'Absolute path of the mount; not `/dev`, `/dev/log`, `/tmp`, `/var` or `/var/log`. Disks of a `vm` need ' +
        'none.',
      recoveryPolicy: 'Whether the volume outlives its replica. `recycle` is deprecated.',
      name: only(['vm'], 'Name of the disk.'),
      bus: only(['vm'], 'Bus on which the disk is attached to the virtual machine.'),
      bootOrder: only(['vm'], 'Position of the disk in the boot order.'),
    },
  },
};
