/** A reader of the binary form in which SSH writes keys (RFC 4251, section 5): lengths are 32 bits, big endian. */
export class SshReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get rest(): Buffer {
    return this.#bytes.subarray(this.#at);
  }

  /** Throws a RangeError where fewer bytes are left. */
  take(length: number): Buffer {
    if (length > this.#bytes.length - this.#at) throw new RangeError('it ends too early');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  uint32(): number {
    return this.take(4).readUInt32BE();
  }

  /** A `string`: its length, and as many bytes. */
  string(): Buffer {
    return this.take(this.uint32());
  }

  text(): string {
    return this.string().toString('utf8');
  }
}

/** A `string` of SSH. */
export function sshString(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
