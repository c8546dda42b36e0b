/** Files of keys that exist for these tests alone, as the programs wrote them (OpenSSH 9, OpenSSL 3). */

/** `ssh-keygen -t ed25519 -N '' -C planner@example.com`. */
export const openssh = `-----BEGIN OPENSSH PRIVATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW
QyNTUxOQAAACBxqyDImJac6WzFm3kgVLyi8DG+XWpWAOwNyvQeK0h4HgAAAJiYXOIqmFzi
KgAAAAtzc2gtZWQyNTUxOQAAACBxqyDImJac6WzFm3kgVLyi8DG+XWpWAOwNyvQeK0h4Hg
AAAECOzs1qnpU06HEOAYyfba1PBngDwACmayGOkWMVt9/rRXGrIMiYlpzpbMWbeSBUvKLw
Mb5dalYA7A3K9B4rSHgeAAAAE3BsYW5uZXJAZXhhbXBsZS5jb20BAg==
-----END OPENSSH PRIVATE KEY-----
`;
export const opensshPublic =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHGrIMiYlpzpbMWbeSBUvKLwMb5dalYA7A3K9B4rSHge planner@example.com';
/** `ssh-keygen -l`. */
export const opensshFingerprint = 'SHA256:1Tw7M/SnnHViJFuLhx4lxQl8nbxwaipwoJFBd4cz0Wk';

/** `ssh-keygen -t ed25519 -N 'correct horse'`. */
export const opensshEncrypted = `-----BEGIN OPENSSH PRIVATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAGAAAABALBPZc2O
MuCKAJdW0t0/OgAAAAEAAAAAEAAAAzAAAAC3NzaC1lZDI1NTE5AAAAIKFue6srlzOtr4es
RkYTCt2Ijz5zCKOmhyapLu3sjyhVAAAAkB0CtLpH98xunOY+MgUwsY0fIjHi/eGwSyYu6k
5l11rgxOxhcpErOuuHOazGDgqKB0jkLbY7aMupJdTJ13hq/OcwGQD8qA+woKwGHQRavonq
lrkqXAfuOBNfYabFrsY2YZPswDpo6Yd4j2yeoiwqbS4yWnYJsVPlp87QcQjdzKL0D1cQ6m
i6z9LEhDoJSu2fmQ==
-----END OPENSSH PRIVATE KEY-----
`;

/** `ssh-keygen -t rsa`. */
export const rsaPublic =
  'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQCIlNA7YM/fOUJdZqCEgF1D4DkZ2l294VW0bTFLTLpPQMCwSbwl7LYzzG/Bynw6uxhOmPO1siHN7v3sBmiboZ7xswuCs3AuJA8Gq+APZN7zQctgzzTqg9nOAGbgDbfoYchtlSWC5q34UxHKbncgEb4RO7n87WqviabuDZNlxxP77Eynf694sAdR0PZwmAysFCr7jbfCLl1mRzvQcx8NmiLgjqri5cTau/GvD0J3o5SWaLDyToe6mBQUx49PVRqNn6eHERJFjQeUqYj7Y0BPn2BxmXFKVTZSBgl9shZxkUEWfOxVlTg6KNC4/MTy6/vyFlPu2c6MeyrsG2HtjyQITmg1 rsa@example.com';

/** `openssl genpkey -algorithm ed25519`, and `openssl pkey -pubout`. */
export const pkcs8 = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIH2oVeqXjgDU9fV6XZoZDT4eJmRXxgqBXiPAVrl26qz/
-----END PRIVATE KEY-----
`;
export const pkcs8Public = `-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAd5ridKzWbTYDBWMz/4SeLwBJdHMEFkRQvm8mBvDs72o=
-----END PUBLIC KEY-----
`;

/** `openssl genpkey -algorithm ed25519 -aes256 -pass pass:'open sesame'`. */
export const pkcs8Encrypted = `-----BEGIN ENCRYPTED PRIVATE KEY-----
MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAiooO+BRETVDgICCAAw
DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEE+z0n3CxIaPPaMOrPwP4PcEQEHt
LQ59PjVqj/bKF3e1agsxUVpLqeoD2eEBeIpmNq03J3YUwj95rAb+OgrfBU4RO4I9
CVZlUq7u6FEpZWJniF0=
-----END ENCRYPTED PRIVATE KEY-----
`;
