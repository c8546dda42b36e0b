/** A message that is bytes already: it is sent as it is. */
export class Encoded {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}
