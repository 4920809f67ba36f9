-- For compose.yaml only. The superuser of its PostgreSQL image has no password, so it cannot sign in over the network. Inside the
-- container: docker compose exec postgres psql --username postgres
alter role postgres password null;
