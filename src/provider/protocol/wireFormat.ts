/** How a value is told from the next one. */
const withLength = 2;
const plainNumber = 0;
const bytesOfFixed: ReadonlyMap<number, number> = new Map([
  [1, 8],
  [5, 4],
]);

const firstSize = 512;
/** Of a number of 64 bits. */
const longestNumber = 10;

/** Writes the values of a message in protobuf's binary format. */
export class WireWriter {
  #bytes = Buffer.allocUnsafe(firstSize);
  #length = 0;

  /** What has been written. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Negative numbers are in no message. */
  number(field: number, value: number): void {
    if (!Number.isInteger(value) || value < 0) throw new RangeError(`${value} is no number of a message`);
    this.#varint(field * 8 + plainNumber);
    this.#varint(value);
  }

  text(field: number, value: string): void {
    const length = Buffer.byteLength(value);
    this.#lengthOf(field, length);
    this.#bytes.write(value, this.#length, length, 'utf8');
    this.#length += length;
  }

  blob(field: number, value: Uint8Array): void {
    this.#lengthOf(field, value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
  }

  #lengthOf(field: number, length: number): void {
    this.#varint(field * 8 + withLength);
    this.#varint(length);
    this.#reserve(length);
  }

  /** Seven bits a byte, the lowest first; the highest bit says that there are more. */
  #varint(value: number): void {
    this.#reserve(longestNumber);
    let left = value;
    while (left >= 0x80) {
      this.#bytes[this.#length++] = (left % 0x80) | 0x80;
      left = Math.floor(left / 0x80);
    }
    this.#bytes[this.#length++] = left;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.bytes);
    this.#bytes = larger;
  }
}

/** Reads what such a writer has written, of whoever wrote it. Throws a `RangeError` where the bytes end too early. */
export class WireReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** The number of the next field, and how its value is written. */
  field(): { readonly number: number; readonly isNumber: boolean; readonly isLong: boolean; readonly form: number } {
    const key = this.number();
    const form = key & 7;
    return { number: key >>> 3, form, isNumber: form === plainNumber, isLong: form === withLength };
  }

  /** Its lowest 32 bits. */
  number(): number {
    let value = 0;
    for (let index = 0; index < longestNumber; index += 1) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw tooShort();
      if (index < 5) value |= (byte & 0x7f) << (7 * index);
      if (byte < 0x80) return value;
    }
    throw new RangeError('a number has more than 64 bits');
  }

  text(): string {
    const end = this.#end(this.number());
    const text = this.#bytes.toString('utf8', this.#at, end);
    this.#at = end;
    return text;
  }

  /** A part of the memory that is read. */
  blob(): Uint8Array {
    const end = this.#end(this.number());
    const blob = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return blob;
  }

  skip(form: number): void {
    if (form === plainNumber) this.number();
    else if (form === withLength) this.#at = this.#end(this.number());
    else {
      const size = bytesOfFixed.get(form);
      if (size === undefined) throw new RangeError(`protobuf has no values of the form ${form} any more`);
      this.#at = this.#end(size);
    }
  }

  #end(length: number): number {
    const end = this.#at + length;
    if (length < 0 || end > this.#bytes.length) throw tooShort();
    return end;
  }
}

function tooShort(): RangeError {
  return new RangeError('the message ends before its last value does');
}
