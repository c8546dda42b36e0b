const hostLabel = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';

/** All patterns of the definitions with their meaning in words, so that no message shows a regular expression. */
export const patterns = {
  absolutePath: { pattern: '^/', words: 'must begin with "/"' },
  arn: { pattern: '^arn:(aws|aws-us-gov|aws-cn):iam::[0-9]+:role/.+', words: 'must be the ARN of a role' },
  block: {
    pattern: '^[0-9a-fA-F.:]+(/[0-9]{1,3})?$',
    words: 'must be an IP address or a block such as 10.0.0.0/8',
  },
  dictionaryKey: { pattern: '^[-._a-zA-Z0-9]+$', words: 'may hold letters, digits, ".", "_" and "-" only' },
  environmentName: {
    pattern: '^[-._a-zA-Z][-._a-zA-Z0-9]*$',
    words: 'may hold letters, digits, ".", "_" and "-" only, and must not begin with a digit',
  },
  firewallPeer: {
    pattern: '^(/org/[^/]+/.+|//.+|[a-z]+://internal/.+)$',
    words: 'must be a link such as //gvc/NAME/workload/NAME',
  },
  gpuResource: { pattern: '^[a-zA-Z0-9./]*$', words: 'may hold letters, digits, "." and "/" only' },
  hostname: {
    pattern: `^(\\*|(\\*\\.)?${hostLabel}(\\.${hostLabel})*)$`,
    words: 'must be a host name in lower case, such as api.example.com or *.example.com, without scheme, port and path',
  },
  ipv4: { pattern: '^[0-9]{1,3}(\\.[0-9]{1,3}){3}$', words: 'must be an IPv4 address' },
  link: { pattern: '^(/org/[^/]+/.+|//.+)$', words: 'must be a link such as //KIND/NAME' },
  linkOrName: { pattern: '^(/org/[^/]+/.+|//.+|[^/]+)$', words: 'must be a name, or a link such as //location/NAME' },
  maxAge: { pattern: '^[\\d.]+[hms]+$', words: 'must be a duration such as 24h, 30m or 10s' },
  policyRef: { pattern: '^(aws::)?([a-zA-Z0-9/+=,.@_-])+$', words: 'must be the name of a policy' },
  quantity: {
    pattern: '^[+-]?[0-9.]+([eE][-+]?[0-9]+|[KMGTP]i|[numkKMGTP])?$',
    words: 'must be a quantity such as 100m, 0.5, 128Mi or 1Gi',
  },
  replicas: { pattern: '^[0-9]+%?$', words: 'must be a number or a percentage such as 25%' },
  retention: { pattern: '^[0-9]+(\\.[0-9]+)?[dhm]$', words: 'must be a number followed by d, h or m' },
  role: {
    pattern: '^roles\\/[a-zA-Z0-9]+(\\.[a-zA-Z0-9]+)*$',
    words: 'must be a role such as roles/storage.objectViewer',
  },
  roleName: { pattern: '^([a-zA-Z0-9/+=,.@_-])+$', words: 'must be the name of a role' },
  serviceAccount: { pattern: '\\.gserviceaccount\\.com$', words: 'must end with .gserviceaccount.com' },
  serviceAttachment: {
    pattern: '^projects/[^/]+/regions/[^/]+/serviceAttachments/[^/]+$',
    words: 'must look like projects/NAME/regions/NAME/serviceAttachments/NAME',
  },
  storageClassSuffix: {
    pattern: '^[a-zA-Z][0-9a-zA-Z_-]*$',
    words: 'must begin with a letter and hold letters, digits, "_" and "-" only',
  },
  timeToLive: { pattern: '^[0-9]+(ms|s|m|h)$', words: 'must be a number followed by ms, s, m or h' },
  volumeUri: { pattern: '^[a-z0-9]+://', words: 'must be a URI such as scheme://volumeset/NAME' },
} as const;

const wordsByPattern: ReadonlyMap<string, string> = new Map(
  Object.values(patterns).map(({ pattern, words }) => [pattern, words]),
);

export function patternInWords(pattern: string): string {
  return wordsByPattern.get(pattern) ?? 'is not in the form that is asked for here';
}
