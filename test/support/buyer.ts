// A buyer with every field, as an order carries one, and as the record of §2.4 names it.

export const BUYER = {
  name: '홍길동',
  email: 'canary-buyer@example.com',
  tel: '010-9999-8888',
  addr: '서울특별시 카나리아로 7',
  postcode: '04599',
};

export const BUYER_ON_RECORD = {
  buyer_name: BUYER.name,
  buyer_email: BUYER.email,
  buyer_tel: BUYER.tel,
  buyer_addr: BUYER.addr,
  buyer_postcode: BUYER.postcode,
};
