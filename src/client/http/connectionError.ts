import { causeText } from '../../base/thrown.ts';
import { ApiError } from './apiError.ts';
import { CutOff } from './readAnswer.ts';

/** A request without an answer, and its server. */
export class NoAnswer extends Error {
  readonly host: string;

  constructor(host: string, cause: unknown) {
    super(causeText(cause), { cause });
    this.host = host;
  }
}

/** Node's error codes for an untrusted certificate, and for a server without TLS. */
export const noTls = /CERT|SELF_SIGNED|ERR_TLS|ERR_SSL|UNABLE_TO_/;

/** Failures while connecting, in words: nothing was sent. */
const connecting: Readonly<Record<string, string>> = {
  EAI_AGAIN: 'the host name cannot be resolved at present',
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  ENOTFOUND: 'unknown host name',
  UND_ERR_CONNECT_TIMEOUT: 'timed out',
};

export function isConnecting(code: string): boolean {
  return Object.hasOwn(connecting, code);
}

/** Failures after connecting. */
const afterwards: Readonly<Record<string, string>> = {
  ECONNRESET: 'connection reset',
  EPIPE: 'connection closed',
  ETIMEDOUT: 'timed out',
  UND_ERR_BODY_TIMEOUT: 'timed out',
  UND_ERR_HEADERS_TIMEOUT: 'timed out',
  UND_ERR_SOCKET: 'connection closed',
};

const trust = 'Trust its certificate with NODE_EXTRA_CA_CERTS=FILE, or accept any certificate with --insecure.';
const certificates: Readonly<Record<string, { readonly words: string; readonly hint: string }>> = {
  CERT_HAS_EXPIRED: {
    words: 'its certificate has expired',
    hint: 'Renew its certificate, or accept any certificate with --insecure.',
  },
  CERT_NOT_YET_VALID: {
    words: 'its certificate is not valid yet',
    hint: 'Check the clock of this machine, or accept any certificate with --insecure.',
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: { words: 'its certificate is self-signed', hint: trust },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    words: 'its certificate is for another host name',
    hint: 'Use a host name that its certificate has, or accept any certificate with --insecure.',
  },
  SELF_SIGNED_CERT_IN_CHAIN: { words: 'its certificate is of an authority that is not trusted', hint: trust },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: { words: 'its certificate is of an authority that is not trusted', hint: trust },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: { words: 'its certificate is of an authority that is not trusted', hint: trust },
};

/** Such as `ECONNREFUSED`, also from the AggregateError of connecting to several addresses. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error instanceof AggregateError ? errorCode(error.errors[0]) : errorCode(error.cause);
}

/** The connection failure in a few words, for messages, without the token. */
export function connectionError(request: string, error: unknown, code: 'api.unavailable' | 'api.reply-lost'): ApiError {
  const isLost = code === 'api.reply-lost';
  if (error instanceof ApiError) {
    if (isLost) return lost(request, error.message, error);
    return new ApiError({ code: error.code, message: `${request}: ${error.message}`, hint: error.hint });
  }
  if (noTls.test(errorCode(error))) return withoutTls(error);
  if (error instanceof CutOff) {
    const said = `${error.message} (${failureText(error.cause)})`;
    return isLost ? lost(request, said, error) : unavailable(`${request}: ${said}`, error);
  }
  const text = failureText(error);
  if (isLost) return lost(request, `the connection was lost before the answer came (${text})`, error);
  if (isConnecting(errorCode(error))) return unavailable(`cannot connect to ${hostOf(error)}: ${text}`, error);
  return unavailable(`${request}: no answer from ${hostOf(error)}: ${text}`, error);
}

function lost(request: string, why: string, cause: unknown): ApiError {
  return new ApiError({
    code: 'api.reply-lost',
    message: `${request}: ${why}; it may have been carried out`,
    hint: 'Plan again: the new plan shows what is there.',
    cause,
  });
}

function unavailable(message: string, cause: unknown): ApiError {
  return new ApiError({ code: 'api.unavailable', message, hint: 'Check the endpoint and the network.', cause });
}

function withoutTls(error: unknown): ApiError {
  const code = errorCode(error);
  if (/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/.test(code)) {
    return new ApiError({
      code: 'api.tls',
      message: 'https was used, but the server does not speak TLS',
      hint: 'Use an endpoint that begins with http://, or the port that speaks TLS.',
      cause: error,
    });
  }
  const words = `its certificate is not trusted (${failureText(error)})`;
  const { hint, words: known } = certificates[code] ?? { hint: trust, words };
  return new ApiError({ code: 'api.tls', message: `cannot connect to ${hostOf(error)}: ${known}`, hint, cause: error });
}

function hostOf(error: unknown): string {
  return error instanceof NoAnswer ? error.host : 'the platform';
}

/** Such as `connection refused`. */
function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = errorCode(error);
  return connecting[code] ?? afterwards[code] ?? `${code} ${error.message}`.trim();
}
