/** Servers that call the EHR server over https and do not verify its certificate. */
import type { Defect } from '../defect.ts';

export const certificateDefects: readonly Defect[] = [
  {
    id: 'certificate-not-verified',
    title: 'Certificates of the EHR server are not verified',
    caughtBy: 'foreign-certificate-refused',
    tls: 'authority-not-checked',
  },
  {
    id: 'host-name-not-verified',
    title: 'The host name in the certificate of the EHR server is not compared',
    caughtBy: 'other-name-refused',
    tls: 'name-not-checked',
  },
  {
    id: 'carried-sign-certificate-not-verified',
    title: 'Certificates of the EHR server are not verified',
    caughtBy: 'foreign-certificate-refused',
    shape: 'carried-sign',
    tls: 'authority-not-checked',
  },
  {
    id: 'carried-sign-host-name-not-verified',
    title: 'The host name in the certificate of the EHR server is not compared',
    caughtBy: 'other-name-refused',
    shape: 'carried-sign',
    tls: 'name-not-checked',
  },
];
