import type { Method } from './grpc.ts';
import { unary } from './unary.ts';

const serving = 1;

/**
 * What go-plugin expects beside the provider: its controller, and for other hosts than Terraform the streams of output
 * and of further connections, on which nothing is ever sent, and the health check. `shutDown` is called when the plugin is
 * asked to end; its answer may not be sent yet. Without an answer Terraform waits two seconds for every process, and
 * kills it.
 */
export function goPluginMethods(shutDown: () => void): readonly (readonly [string, Method])[] {
  const end = unary(['Empty', 'Empty'], async () => {
    shutDown();
    return {};
  });
  const health = unary(['HealthCheckRequest', 'HealthCheckResponse'], async () => ({ status: serving }));
  return [
    ['/plugin.GRPCController/Shutdown', end],
    ['/grpc.health.v1.Health/Check', health],
    ['/plugin.GRPCStdio/StreamStdio', { ends: 'by the client' }],
    ['/plugin.GRPCBroker/StartStream', { ends: 'with the requests' }],
  ];
}
