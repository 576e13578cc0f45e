import type {ReactNode} from 'react';

export const metadata = {title: 'Lamba', icons: 'data:,'};

export default function Layout({children}: {readonly children: ReactNode}) {
  return (
    <html lang="tr">
      <body>{children}</body>
    </html>
  );
}
