/** Terraform's environment variables for a plugin (go-plugin). */
export interface Invitation {
  /** The certificate with which Terraform identifies itself; if absent, neither side has one. */
  readonly clientCertificate: string | undefined;
  /** The folder for the socket; if absent, the temporary folder. */
  readonly socketFolder: string | undefined;
}

const cookie = {
  name: 'TF_PLUGIN_MAGIC_COOKIE',
  value: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2',
} as const;

/** The version of Terraform's plugin protocol. */
const protocolVersion = 6;

type Environment = Readonly<Record<string, string | undefined>>;

/** The invitation, or for the user, why there is none. */
export function invitationOf(environment: Environment): Invitation | { readonly refusal: string } {
  if (environment[cookie.name] !== cookie.value) {
    return {
      refusal:
        'This is the Gantry provider for Terraform. Terraform and OpenTofu start it by themselves; ' +
        '`gantry terraform install` puts it where they look. To debug it, start it with --debug.',
    };
  }
  const versions = (environment['PLUGIN_PROTOCOL_VERSIONS'] ?? String(protocolVersion)).split(',').map(Number);
  if (!versions.includes(protocolVersion)) {
    return {
      refusal:
        `The Gantry provider speaks version ${protocolVersion} of the plugin protocol, and this program asks for ` +
        `${versions.join(', ')}: use Terraform 1.0 or later, or OpenTofu.`,
    };
  }
  return {
    clientCertificate: environment['PLUGIN_CLIENT_CERT'] || undefined,
    socketFolder: environment['PLUGIN_UNIX_SOCKET_DIR'] || undefined,
  };
}

export interface Address {
  readonly network: 'unix' | 'tcp';
  /** A path, or `127.0.0.1:PORT`. */
  readonly address: string;
}

const handshakeVersion = 1;

/** The one line that Terraform reads from standard output. */
export function handshakeLine({ network, address }: Address, certificate: Uint8Array | undefined): string {
  const encoded = certificate === undefined ? '' : Buffer.from(certificate).toString('base64').replace(/=+$/, '');
  return [handshakeVersion, protocolVersion, network, address, 'grpc', encoded].join('|');
}

/** The value of `TF_REATTACH_PROVIDERS`, with which Terraform uses a provider that is already running. */
export function reattachValue(source: string, { network, address }: Address, pid: number): string {
  return JSON.stringify({
    [source]: {
      Protocol: 'grpc',
      ProtocolVersion: protocolVersion,
      Pid: pid,
      Test: true,
      Addr: { Network: network, String: address },
    },
  });
}
